// Twenty times as many random requests as `npm test` sends, or the number in FUZZ_CASES; for a night.

process.env.FUZZ_CASES ??= '200000';
process.env.TEST_PATIENCE ??= '20';
process.argv.push('tests/fuzz');
await import('./test.ts');

export {};
