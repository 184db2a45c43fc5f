import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

/** A node of a parsed file; its fields depend on its type. */
// biome-ignore lint/suspicious/noExplicitAny: the tree is walked by the names of its fields
type Node = any;

interface Module {
  /** Every constant by its name: its initial value. */
  constants: Map<string, Node[]>;
  /** Every imported name: its file and its name there. */
  imports: Map<string, { path: string; name: string }>;
  /** Every expression in a place for class names. */
  classNodes: Node[];
}

/** The functions that join class names, with the position of the first argument that is one. */
const JOINERS = new Map([
  ['classes', 0],
  ['chipClass', 1],
  ['buttonClass', 2],
]);
/** A class that only marks an element for other classes has no style. */
const MARKER = /^(group|peer)(\/\w+)?$/;

const root = resolve(import.meta.dirname, '../..');

function children(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value: Node) => typeof value?.type === 'string');
}

/** An expression for one member of another: any of them, unless it is named. */
const memberOf = (object: Node, property?: Node): Node => ({
  type: 'MemberExpression',
  object,
  property,
  computed: !property,
});

function read(path: string, text: string): Module {
  const module: Module = { constants: new Map(), imports: new Map(), classNodes: [] };
  const define = (name: string, value: Node) =>
    module.constants.set(name, [...(module.constants.get(name) ?? []), value]);
  const bind = (target: Node, value: Node) => {
    if (target.type === 'Identifier') define(target.name, value);
    for (const { key, value: name } of target.properties ?? [])
      if (name?.type === 'Identifier') define(name.name, memberOf(value, key));
  };
  const visit = (node: Node) => {
    if (node.type === 'VariableDeclarator' && node.init) bind(node.id, node.init);
    if (node.type === 'CallExpression' && /^(flatM|m)ap$/.test(node.callee.property?.name))
      for (const [parameter] of node.arguments.map(({ params = [] }: Node) => params))
        if (parameter) bind(parameter, memberOf(node.callee.object));
    if (node.type === 'ImportDeclaration' && /^[.#]/.test(node.source.value)) {
      const { value } = node.source;
      const target = value.startsWith('#') ? join(root, value.slice(1)) : resolve(dirname(path), value);
      for (const { local, imported } of node.specifiers)
        if (imported) module.imports.set(local.name, { path: target, name: imported.name });
    }
    if (node.type === 'JSXAttribute' && /^class(Name)?$|ClassName$/.test(node.name.name) && node.value)
      module.classNodes.push(node.value.expression ?? node.value);
    if (node.type === 'Property' && /^className$|ClassName$/.test(node.key.name))
      module.classNodes.push(node.value);
    if (node.type === 'CallExpression' && JOINERS.has(node.callee.name)) module.classNodes.push(node);
    for (const child of children(node)) visit(child);
  };
  visit(parseSync(path, text, { lang: 'tsx' }).program);
  return module;
}

/** The class names in these files' places for them, with the files that name them. */
function classNames(files: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const modules = new Map([...files].map(([path, text]) => [path, read(path, text)]));
  const found = new Map<string, Set<string>>();

  /** The initial value of an expression, as far as it is a literal. */
  const valuesOf = (node: Node, path: string): { node: Node; path: string }[] => {
    const module = modules.get(path);
    switch (node?.type) {
      case 'Identifier': {
        const imported = module?.imports.get(node.name);
        if (imported)
          return (modules.get(imported.path)?.constants.get(imported.name) ?? []).flatMap((value) =>
            valuesOf(value, imported.path),
          );
        return (module?.constants.get(node.name) ?? []).flatMap((value) => valuesOf(value, path));
      }
      case 'MemberExpression': {
        const name = node.computed ? undefined : node.property.name;
        return valuesOf(node.object, path).flatMap((value) =>
          (value.node.type === 'ObjectExpression'
            ? value.node.properties.filter(({ key }: Node) => !name || name === (key?.name ?? key?.value))
            : value.node.type === 'ArrayExpression' && !name
              ? value.node.elements.map((element: Node) => ({ value: element }))
              : []
          ).flatMap((property: Node) => valuesOf(property.value, value.path)),
        );
      }
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        return valuesOf(node.expression, path);
      case 'ConditionalExpression':
        return [...valuesOf(node.consequent, path), ...valuesOf(node.alternate, path)];
      case 'LogicalExpression':
        return [...(node.operator === '&&' ? [] : valuesOf(node.left, path)), ...valuesOf(node.right, path)];
      default:
        return node ? [{ node, path }] : [];
    }
  };
  const collect = (classNode: Node, at: string) => {
    for (const { node, path } of valuesOf(classNode, at)) {
      const add = (text: string) => {
        for (const name of text.split(/\s+/).filter(Boolean))
          found.set(name, (found.get(name) ?? new Set()).add(path));
      };
      if (node.type === 'Literal' && typeof node.value === 'string') add(node.value);
      if (node.type === 'TemplateLiteral') {
        // A name that is put together stays in two parts, neither of which yields anything.
        add(
          node.quasis
            .map(({ value }: Node) => value.cooked)
            .join('…')
            .replaceAll(/(?<=\s|^)…(?=\s|$)/g, ' '),
        );
        for (const expression of node.expressions) collect(expression, path);
      }
      if (node.type === 'CallExpression' && JOINERS.has(node.callee.name))
        for (const argument of node.arguments.slice(JOINERS.get(node.callee.name))) collect(argument, path);
    }
  };
  for (const [path, { classNodes: places }] of modules)
    for (const classNode of places) collect(classNode, path);
  return found;
}

const require = createRequire(import.meta.url);
const stylesheet = join(root, 'app/app.css');
/** Tailwind's own engine with the site's stylesheet. */
const design = await loadDesignSystem(readFileSync(stylesheet, 'utf8'), {
  base: dirname(stylesheet),
  loadStylesheet: async (id, base) => {
    const path = id.startsWith('.')
      ? join(base, id)
      : require.resolve(id === 'tailwindcss' ? 'tailwindcss/index.css' : id);
    return { path, base, content: readFileSync(path, 'utf8') };
  },
});

/** The class names for which the stylesheet has no rule, with the files that name them. */
function withoutStyle(names: ReadonlyMap<string, Set<string>>): string[] {
  const candidates = [...names.keys()].filter((name) => !MARKER.test(name));
  const css = design.candidatesToCss(candidates);
  return candidates
    .filter((name, index) => !css[index] && !components.has(name))
    .flatMap((name) =>
      [...(names.get(name) ?? [])].map((path) => `${name} in ${path.slice(root.length + 1)}`),
    );
}

/** The classes of the parts that the style sheet itself describes. */
const components = new Set(
  ['components.css', 'icons.css']
    .flatMap((name) => [
      ...readFileSync(join(root, 'app/ui', name), 'utf8').matchAll(/\.([a-z][a-z-]*)(?=[\s:.>{,])/g),
    ])
    .map(([, name]) => name),
);

const ofTheSite = classNames(
  new Map(
    readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => [join(root, 'app', name), readFileSync(join(root, 'app', name), 'utf8')]),
  ),
);

it('every class name of the site is one the stylesheet knows', () => {
  expect(ofTheSite.size).toBeGreaterThan(700);
  expect(withoutStyle(ofTheSite)).toEqual([]);
});

/** A side that is the same in every language; a member's text alone keeps to the page's side with `text-left`. */
const FIXED_SIDE =
  /(^|:)-?(scroll-)?(m[lr]|p[lr]|left|right|border-[lr]|rounded-[lr]|text-right|float-(left|right))(-|$)/;

it('no class name stays on its side where the interface runs from right to left', () => {
  expect([...ofTheSite.keys()].filter((name) => FIXED_SIDE.test(name))).toEqual([]);
});

/** Names of space, with the steps of 4 px or the pixels that they are. */
const SPACE =
  /(?:^|:)-?(?:[mp][trblxyse]?|gap(?:-[xy])?|space-[xy]|scroll-[mp][trblxyse]?)-(?:(\d+\.\d+)|\[(\d+)px\])$/;

it('space is a multiple of 4 px, and letters have three weights', () => {
  const offTheGrid = [...ofTheSite.keys()].filter((name) => {
    const [, part, pixels = 0] = SPACE.exec(name) ?? [];
    return part !== undefined || Number(pixels) % 4 !== 0;
  });
  expect(offTheGrid).toEqual([]);
  const weights = new Set(
    [...ofTheSite.keys()].flatMap(
      (name) => /(?:^|:)font-(normal|medium|semibold|bold|\[.*)$/.exec(name)?.[1] ?? [],
    ),
  );
  expect([...weights].toSorted()).toEqual(['bold', 'medium', 'normal']);
});

it('a class name that yields nothing is found wherever it stands', () => {
  const files = {
    'plain.tsx': `export const a = <p className="flex bg-crimson-500" />;`,
    'chosen.tsx': `export const a = (on) => <p className={on ? 'flex' : \`grid \${on && 'wrong-1'}\`} />;`,
    'table.tsx': `export const tones = { red: 'bg-red wrong-2', ok: { ground: 'wrong-3', says: 'not a class' } };
      export const a = (tone) => <p className={classes(tones[tone], tone === 'no class' && 'flex')} />;
      export const b = () => <p className={tones.ok.ground} />;`,
    'elsewhere.tsx': `import { far } from './far.ts';
      const { look } = { look: 'wrong-5' };
      export const a = <p className={far} />; export const b = buttonClass('no', 'class', look);`,
    'far.ts': `export const far = 'wrong-4' as const;`,
    'each.tsx': `const all = [{ tone: 'wrong-6' }];
      export const a = [{ fill: 'wrong-7' }].map(({ fill }) => <p className={fill} />);
      export const b = all.map((one) => <p className={one.tone} />);`,
    'parts.tsx': `export const a = (width) => <p className={\`w-\${width} flex\`} />;`,
    'right.tsx': `export const a = <p className="group/row card-trio member:hidden data-[state=open]:flex" />;`,
  };
  const found = withoutStyle(
    classNames(new Map(Object.entries(files).map(([name, text]) => [join(root, name), text]))),
  );
  expect(found.sort()).toEqual([
    'bg-crimson-500 in plain.tsx',
    'w-… in parts.tsx',
    'wrong-1 in chosen.tsx',
    'wrong-2 in table.tsx',
    'wrong-3 in table.tsx',
    'wrong-4 in far.ts',
    'wrong-5 in elsewhere.tsx',
    'wrong-6 in each.tsx',
    'wrong-7 in each.tsx',
  ]);
});
