import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

// Repeats a test file until it fails: `npm run flaky -- forum.test.ts 50`. The failure's screenshots and logs
// are in `test-results/`.

const [pattern, count = '20'] = process.argv.slice(2);
const times = Number(count);
if (!pattern || !(times > 0)) {
  console.error('Usage: npm run flaky -- FILE [TIMES]');
  process.exit(1);
}
for (let time = 1; time <= times; time++) {
  const { status } = spawnSync(process.execPath, [resolve(import.meta.dirname, 'test.ts'), pattern], {
    stdio: 'inherit',
  });
  console.log(`Run ${time} of ${times} ${status === 0 ? 'passed' : 'failed'}.`);
  if (status !== 0) process.exit(1);
}
