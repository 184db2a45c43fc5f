import { readdirSync } from 'node:fs';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => name !== 'bench');

const [name = ''] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join('|')}`);
  process.exit(1);
}
await import(`./${name}.ts`);
