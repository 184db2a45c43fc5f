// Twenty times as many random requests as `npm test` sends, or as many as FUZZ_CASES says; for a night.

process.env.FUZZ_CASES ??= '200000';
process.env.TEST_PATIENCE ??= '20';
process.argv.push('tests/fuzz');
await import('./test.ts');

export {};
