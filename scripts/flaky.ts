import { buildSite } from './build.ts';

// Repeats a test file until it fails: `npm run flaky -- forum.test.ts 50`.

const [pattern, count = '20'] = process.argv.slice(2);
const times = Number(count);
if (!pattern || !(times > 0)) {
  console.error('Usage: npm run flaky -- FILE [TIMES]');
  process.exit(1);
}
process.env.NODE_ENV = 'test';
const { createVitest } = await import('vitest/node');
const vitest = await createVitest('test', { watch: false, reporters: ['dot'] });
let failed = false;
try {
  await vitest.standalone();
  const files = await vitest.globTestSpecifications([pattern]);
  if (files.length === 0) throw new Error(`No test file is called anything like ${pattern}.`);
  if (files.some(({ project }) => ['e2e', 'operation'].includes(project.name)))
    buildSite((step) => console.log(`${step} …`));
  for (let time = 1; time <= times && !failed; time++) {
    await vitest.runTestSpecifications(files);
    failed =
      vitest.state.getUnhandledErrors().length > 0 ||
      vitest.state.getTestModules().some((module) => !module.ok());
    console.log(failed ? `Failed the ${time}th time.` : `${time} of ${times} passed.`);
  }
} catch (error) {
  failed = true;
  console.error(error instanceof Error ? error.message : error);
} finally {
  await vitest.close();
}
process.exit(failed ? 1 : 0);
