import { AuthError } from '../errors.ts';

export type Chain = 'ethereum' | 'solana';

/** The message that a wallet signed: EIP-4361, or its counterpart for Solana. */
export interface SignInMessage {
  domain: string;
  address: string;
  statement: string | undefined;
  uri: URL;
  chainId: string | undefined;
  issuedAt: Date;
  expirationTime: Date | undefined;
  notBefore: Date | undefined;
}

const HEADER: Record<Chain, RegExp> = {
  ethereum: /^(?:https?:\/\/)?([^\s/]{1,255}) wants you to sign in with your Ethereum account:$/,
  solana: /^(?:https?:\/\/)?([^\s/]{1,255}) wants you to sign in with your Solana account:$/,
};
const ADDRESS: Record<Chain, RegExp> = {
  ethereum: /^0x[0-9a-f]{40}$/i,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
};
const CHAIN_ID: Record<Chain, RegExp> = {
  ethereum: /^[1-9]\d{0,17}$/,
  solana: /^(?:solana:)?(?:main|dev|test|local)net$/,
};
const FIELDS = new Set([
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
]);
// RFC 3339, which Date reads; Date alone would accept many other forms.
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * Reads a message strictly: every line is known, no field comes twice.
 *
 * @throws AuthError validation_failed
 */
export function readSignInMessage(text: string, chain: Chain): SignInMessage {
  const lines = text.split('\n');
  if (/[^\P{Cc}\n]/u.test(text)) throw invalid('message must not hold control characters');
  const [header = '', address = '', blank, ...rest] = lines;
  const domain = HEADER[chain].exec(header)?.[1];
  if (!domain) throw invalid('message first line does not end in expected suffix');
  if (!ADDRESS[chain].test(address)) throw invalid('wallet address is not in expected format');
  if (blank !== '') throw invalid('third line must be empty');
  const statement = rest[1] === '' && rest[0] !== '' ? rest[0] : undefined;
  const fields = readFields(rest.slice(statement === undefined ? 0 : 2));

  const version = fields.get('Version');
  if (version !== '1') throw invalid(`version is not supported, expected: 1 got: ${version ?? ''}`);
  const uri = URL.parse(fields.get('URI') ?? '');
  if (!uri) throw invalid('URI is missing or not valid');
  const chainId = fields.get('Chain ID');
  if (chainId === undefined ? chain === 'ethereum' : !CHAIN_ID[chain].test(chainId))
    throw invalid('Chain ID is missing or not valid');
  const nonce = fields.get('Nonce');
  if (nonce !== undefined && !/^[a-z\d]{8,128}$/i.test(nonce))
    throw invalid('Nonce must be at least 8 letters and digits');
  const time = (name: string) => readTime(name, fields.get(name));
  const issuedAt = time('Issued At');
  if (!issuedAt) throw invalid('Issued At is not specified');
  return {
    domain,
    address: chain === 'ethereum' ? address.toLowerCase() : address,
    statement,
    uri,
    chainId,
    issuedAt,
    expirationTime: time('Expiration Time'),
    notBefore: time('Not Before'),
  };
}

function readFields(lines: string[]): Map<string, string> {
  const fields = new Map<string, string>();
  // The client library omits the colon in Solana messages.
  const resources = lines.findIndex((line) => line === 'Resources:' || line === 'Resources');
  const fieldLines = resources === -1 ? lines : lines.slice(0, resources);
  // Without a statement there is one more blank line.
  for (const line of fieldLines[0] === '' ? fieldLines.slice(1) : fieldLines) {
    const [, name = '', value = ''] = /^([A-Z][A-Za-z ]+): (\S.*)$/.exec(line) ?? [];
    if (!FIELDS.has(name) || fields.has(name)) throw invalid('message holds a line that cannot be read');
    fields.set(name, value);
  }
  const listed = resources === -1 ? [] : lines.slice(resources + 1);
  if (listed.length > 20 || !listed.every((line) => line.startsWith('- ') && URL.canParse(line.slice(2))))
    throw invalid('Resources hold what is not a valid URI');
  return fields;
}

function readTime(name: string, value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const time = new Date(value);
  if (!TIME.test(value) || Number.isNaN(time.getTime())) throw invalid(`${name} is not a valid time`);
  return time;
}

const invalid = (message: string) => new AuthError('validation_failed', message);
