import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** The exports of a page that React Router calls, and describes in its own documentation. */
const OF_THE_ROUTER = [
  'meta',
  'loader',
  'action',
  'headers',
  'links',
  'clientLoader',
  'shouldRevalidate',
  'ErrorBoundary',
  'Layout',
];

/** The functions that a file exports by name, and whether a docstring stands directly above each. */
function functionsOf(path: string): { name: string; isDocumented: boolean }[] {
  const source = readFileSync(resolve(root, path), 'utf8');
  const { program, comments } = parseSync(path, source);
  const docstrings = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  const isDocumented = (start: number) =>
    docstrings.some(({ end }) => /^\n(?:\/\/ biome-ignore .*\n)*$/.test(source.slice(end, start)));
  return program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const { declaration, start } = node;
    const names =
      declaration?.type === 'FunctionDeclaration'
        ? [declaration.id?.name ?? '']
        : declaration?.type === 'VariableDeclaration'
          ? declaration.declarations
              .filter(({ init }) => init?.type === 'ArrowFunctionExpression')
              .map(({ id }) => (id.type === 'Identifier' ? id.name : ''))
          : [];
    return names.map((name) => ({ name, isDocumented: isDocumented(start) }));
  });
}

it('every exported function says what it is for', () => {
  const functions = globSync('{app,backend,media,server,supabase}/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/\.test\.|\.d\.ts$|database\.types\.ts$|^supabase\/seed\//.test(path))
    .flatMap((path) => functionsOf(path).map((found) => ({ path, ...found })));
  expect(functions.length).toBeGreaterThan(1200);
  expect(
    functions
      .filter(({ name, isDocumented }) => !isDocumented && !OF_THE_ROUTER.includes(name))
      .map(({ path, name }) => `${path}: ${name}`),
  ).toEqual([]);
});
