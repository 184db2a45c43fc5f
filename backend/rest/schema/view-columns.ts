import type { Catalogue } from './catalogue.ts';

/** The table column from which a view's column comes. */
interface Origin {
  table: number;
  column: number;
}

/** View's oid → its column's number → the table column it passes on unchanged. */
export type ViewColumns = Map<number, Map<number, Origin>>;

/**
 * Determines which table columns views pass on, through views of views, from the rules as which PostgreSQL
 * stores them.
 *
 * The foreign keys of those tables then work for the views too.
 */
export function readViewColumns(views: Catalogue['views']): ViewColumns {
  const direct: ViewColumns = new Map(views.map((view) => [view.oid, targetColumns(view.rule)]));
  const resolve = (origin: Origin, seen: Set<number>): Origin | undefined => {
    const view = direct.get(origin.table);
    if (!view) return origin;
    if (seen.has(origin.table)) return undefined;
    const next = view.get(origin.column);
    return next && resolve(next, new Set([...seen, origin.table]));
  };
  return new Map(
    [...direct].map(([oid, columns]) => [
      oid,
      new Map(
        [...columns].flatMap(([number, origin]) => {
          const table = resolve(origin, new Set([oid]));
          return table ? [[number, table] as const] : [];
        }),
      ),
    ]),
  );
}

/**
 * The outermost target list of a `pg_node_tree`: braces nest, a backslash quotes the next character, and each
 * entry names the table and column it copies (0 for expressions).
 */
function targetColumns(rule: string): Map<number, Origin> {
  const columns = new Map<number, Origin>();
  let depth = 0;
  let inTargets = false;
  let number = 0;
  let table = 0;
  for (const [token, name, value] of rule.matchAll(
    /\\[\s\S]|[{}]|:(targetList|resno|resorigtbl|resorigcol) (-?\w*)/g,
  )) {
    if (token === '{') depth++;
    else if (token === '}') depth--;
    else if (name === 'targetList' && depth === 1) inTargets = true;
    else if (inTargets && depth === 2) {
      if (name === 'resno') number = Number(value);
      else if (name === 'resorigtbl') table = Number(value);
      else if (name === 'resorigcol' && table > 0) columns.set(number, { table, column: Number(value) });
    }
  }
  return columns;
}
