// What each call of the site costs the database at 1,000 rows of the member concerned, and at 20,000; for a night.

process.env.SCALE_ROWS ??= '1000';
process.env.TEST_PATIENCE ??= '20';
process.argv.push('tests/scale');
await import('./test.ts');

export {};
