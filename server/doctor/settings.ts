import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import { type Config, SETTINGS } from '#backend/config.ts';
import { type Finding, problem, warning } from './finding.ts';

/** Settings that other programs than the site read from the same file. */
const OF_NODE = /^(NODE_|NO_COLOR$|FORCE_COLOR$|PATH$|HOME$|TZ$|LANG$|TMPDIR$|HTTPS?_PROXY$|NO_PROXY$)/;
const isExample = (text: string) => /\bexample\.(?:org|com|net)\b/.test(text);

/** Whether a host is reached from this machine alone. */
const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host);

/**
 * @param file the settings' file; it need not exist
 * @param named the text of `supabase/*.toml` and `settings.toml`, where `env(NAME)` names a variable
 */
export function findInSettings(config: Config, file: string, named: string): Finding[] {
  const findings: Finding[] = [];
  const lines = existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : [];
  for (const name of lines)
    if (!SETTINGS.includes(name) && !OF_NODE.test(name) && !named.includes(`env(${name})`))
      findings.push(
        warning(`${file} sets ${name}, which nothing reads.`, 'Correct its name, or remove the line.'),
      );
  for (const name of config.unserved)
    findings.push(
      warning(
        `The project asks for ${name}, which this site does not serve.`,
        'Remove it, or run the site beside a Supabase project.',
      ),
    );
  if (!config.production) {
    findings.push(
      warning(
        'This is an evaluation: emails are kept instead of sent, and there is demo content.',
        'Set NODE_ENV=production before members come.',
      ),
    );
    return findings;
  }
  const { hostname, protocol } = new URL(config.siteUrl);
  if (protocol === 'http:' && !isLoopback(hostname))
    findings.push(
      problem(
        `SITE_URL is ${config.siteUrl}, so that passwords cross the network unencrypted.`,
        'Put a proxy with TLS in front of the site, and set SITE_URL to its https address.',
      ),
    );
  if (isExample(hostname) || isIP(hostname) !== 0)
    findings.push(
      warning(
        `SITE_URL is ${config.siteUrl}, which is no address for members.`,
        'Set it to what people type; every email has links to it.',
      ),
    );
  if (config.trustProxy && !isLoopback(config.host))
    findings.push(
      warning(
        `TRUST_PROXY is set and the site listens on ${config.host}, where clients may reach it past the proxy and claim any address.`,
        'Set HOST=127.0.0.1, or let only the proxy reach this port.',
      ),
    );
  if (isExample(config.mailFrom) || config.mailFrom.includes('localhost'))
    findings.push(
      problem(
        `Emails are sent by ${config.mailFrom}, which is a placeholder.`,
        'Set MAIL_FROM to an address of your own domain.',
      ),
    );
  const { operator } = config;
  const missing = Object.entries({ OPERATOR_NAME: operator.name, OPERATOR_ADDRESS: operator.address })
    .filter(([, value]) => !value)
    .map(([name]) => name);
  if (missing.length > 0)
    findings.push(
      warning(
        'The legal pages do not say who operates the site.',
        `Set ${missing.join(' and ')}; members and patients have a right to know.`,
      ),
    );
  for (const [name, address] of Object.entries({
    SUPPORT_EMAIL: operator.supportEmail,
    LEGAL_EMAIL: operator.legalEmail,
  }))
    if (isExample(address) || address.endsWith('@localhost'))
      findings.push(
        warning(
          `The pages name ${address}, which is a placeholder.`,
          `Set ${name} to an address that is read.`,
        ),
      );
  return findings;
}
