import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chaos, type Tally, VICTIMS, type Victim } from '../tests/operation/chaos/chaos.ts';

// Kills server, media worker, database and backup in turn, ROUNDS (400) times in all, at random moments under
// load: `npm run chaos -- 20 --seed 7`. Ends with a failure when data was lost or left half done; writes
// docs/chaos.md.

const root = resolve(import.meta.dirname, '..');
const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const rounds = Number(positionals[0] ?? 400);
const seed = values.seed ?? String(Math.floor(Math.random() * 1e9));
if (!(rounds >= 1)) {
  console.error('Usage: npm run chaos -- ROUNDS --seed SEED');
  process.exit(1);
}

const git = (...args: string[]) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';

/** The page that records the results. */
function page(tallies: Record<Victim, Tally>, seconds: number): string {
  const commit = `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') && ', with changes since'}`;
  const rows = VICTIMS.map((victim) => {
    const { kills, acknowledged, mails, mailsTwice, findings } = tallies[victim];
    return `| ${victim} | ${kills} | ${acknowledged} | ${mails} | ${mailsTwice} | ${findings.length} |`;
  });
  const findings = VICTIMS.flatMap((victim) =>
    tallies[victim].findings.map((each) => `- ${victim}, ${each}`),
  );
  return `# Kill rounds

Written by \`npm run chaos\`; [operations](operations.md#crash-tests) says what a round is. Code ${commit}; ${rounds} rounds with the seed
${seed}, ${(seconds / rounds).toFixed(1)} seconds each.

| Killed | Times | Writes acknowledged | Mails | Of them twice | Findings |
|---|---|---|---|---|---|
${rows.join('\n')}

${findings.length === 0 ? 'After every round all invariants held.' : findings.join('\n')}
`;
}

const directory = mkdtempSync(join(tmpdir(), 'limb-commons-chaos-'));
chmodSync(directory, 0o711);
console.log(`${rounds} rounds on a fresh site; the seed is ${seed}.`);
try {
  const startedAt = performance.now();
  const tallies = await chaos(directory, rounds, seed, console.log);
  writeFileSync(join(root, 'docs/chaos.md'), page(tallies, (performance.now() - startedAt) / 1000));
  const findings = VICTIMS.reduce((sum, victim) => sum + tallies[victim].findings.length, 0);
  console.log(findings === 0 ? 'All invariants held.' : `${findings} findings.`);
  process.exitCode = findings === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
