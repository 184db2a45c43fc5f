import type { SelectField } from '../parse/select.ts';
import {
  type Embed,
  embedsOf,
  isEmpty,
  type PlannedCondition,
  type PlannedOrder,
  type ReadNode,
} from '../plan-read.ts';
import type { ColumnPairs } from '../schema/relationships.ts';
import { conditionSql, fieldSql } from './conditions.ts';
import { identifier, qualified, type Statement } from './sql.ts';

/** The source of a node's rows, and the condition that joins them to the outer rows. */
export interface Source {
  from: string;
  joins: string[];
  /** The whole row, as an argument for a computed relationship. */
  row: string;
}

/** The rows of a table or view. */
export function relationSource(node: ReadNode & { relation: NonNullable<ReadNode['relation']> }): Source {
  return {
    from: `${qualified(node.relation)} AS ${identifier(node.alias)}`,
    joins: [],
    row: `${identifier(node.alias)}.*`,
  };
}

/** The rows of a common table expression, which have lost their type. */
export function expressionSource(node: ReadNode, name: string): Source {
  const alias = identifier(node.alias);
  const columns = [...(node.relation?.columns.keys() ?? [])].map(
    (column) => `${alias}.${identifier(column)}`,
  );
  const row = node.relation ? `ROW(${columns.join(', ')})::${qualified(node.relation)}` : `${alias}.*`;
  return { from: `${name} AS ${alias}`, joins: [], row };
}

/** The node's rows with its embeds, each row one record of the result. */
export function selectSql(node: ReadNode, source: Source, statement: Statement): string {
  const items = node.items.flatMap((item) =>
    item.kind === 'field' ? [selectFieldSql(item, node, statement)] : embedItems(item),
  );
  return rowsSql(items.join(', '), node, source, statement);
}

/** The node's rows that would be shown without a limit, for counting. */
export function countSql(node: ReadNode, source: Source, statement: Statement): string {
  const exists = (embed: Embed) =>
    `EXISTS (${countSql(embed.node, embedSource(embed, node, source), statement)})`;
  const tests = [
    ...node.conditions.map((condition) =>
      conditionSql(
        condition,
        node,
        statement,
        ({ embed, present }) => `${present ? '' : 'NOT '}${exists(embed)}`,
      ),
    ),
    ...source.joins,
    ...embedsOf(node)
      .filter((embed) => embed.wanted.inner)
      .map(exists),
  ];
  return `SELECT 1 FROM ${source.from}${tests.length > 0 ? ` WHERE ${tests.join(' AND ')}` : ''}`;
}

/** Names under which a spread embed's columns join the parent's. */
function outputs(node: ReadNode): string[] {
  return node.items.flatMap((item) => {
    if (item.kind === 'embed') {
      if (isEmpty(item)) return [];
      return item.wanted.spread ? outputs(item.node) : [item.output];
    }
    if (item.field.name === '*') return [...(node.relation?.columns.keys() ?? [])];
    return [outputName(item)];
  });
}

function outputName({ alias, field }: SelectField): string {
  if (alias !== undefined) return alias;
  const key = field.path.findLast((step) => 'key' in step);
  return key && 'key' in key ? key.key : field.name;
}

function selectFieldSql(item: SelectField, node: ReadNode, statement: Statement): string {
  const value = fieldSql(item.field, node, statement);
  if (item.field.name === '*') return value;
  return `${item.cast === undefined ? value : `CAST(${value} AS ${item.cast})`} AS ${identifier(outputName(item))}`;
}

function embedItems(embed: Embed): string[] {
  if (isEmpty(embed)) return [];
  const aggregate = identifier(embed.aggregate);
  if (embed.wanted.spread) return outputs(embed.node).map((name) => `${aggregate}.${identifier(name)}`);
  const value = embed.toOne ? `row_to_json(${aggregate}.*)` : `coalesce(${aggregate}.${aggregate}, '[]')`;
  return [`${value} AS ${identifier(embed.output)}`];
}

function rowsSql(items: string, node: ReadNode, source: Source, statement: Statement): string {
  const joins = embedsOf(node).map((embed) => joinSql(embed, node, source, statement));
  const tests = [
    ...node.conditions.map((condition) => conditionSql(condition, node, statement, presenceSql)),
    ...source.joins,
  ];
  const order = node.order.map((term) => orderSql(term, node, source, statement));
  return [
    `SELECT ${items} FROM ${source.from}`,
    ...joins,
    tests.length > 0 ? `WHERE ${tests.join(' AND ')}` : '',
    order.length > 0 ? `ORDER BY ${order.join(', ')}` : '',
    node.limit === undefined ? '' : `LIMIT ${node.limit}`,
    node.offset === 0 ? '' : `OFFSET ${node.offset}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function presenceSql({ embed, present }: Extract<PlannedCondition, { kind: 'presence' }>): string {
  const aggregate = identifier(embed.aggregate);
  return embed.toOne
    ? `${aggregate} IS ${present ? '' : 'NOT '}DISTINCT FROM NULL`
    : `${aggregate}.${aggregate} IS ${present ? 'NOT ' : ''}NULL`;
}

function joinSql(embed: Embed, parent: ReadNode, source: Source, statement: Statement): string {
  const aggregate = identifier(embed.aggregate);
  const inner = embedSource(embed, parent, source);
  // A row without columns could not be distinguished from no row.
  const rows = isEmpty(embed)
    ? rowsSql('1 AS "present"', embed.node, inner, statement)
    : selectSql(embed.node, inner, statement);
  // The rows as a whole tell whether a spread has any, also one without a column.
  const spread = embed.wanted.spread ? outputs(embed.node) : [];
  const collected = [
    `json_agg(${aggregate}) AS ${aggregate}`,
    ...spread.map(
      (name) => `coalesce(json_agg(${aggregate}.${identifier(name)}), '[]') AS ${identifier(name)}`,
    ),
  ];
  // Without HAVING an aggregate always gives a row, and an inner join would keep the parents that have none.
  const having = embed.wanted.inner ? ' HAVING count(*) > 0' : '';
  const subquery = embed.toOne
    ? rows
    : `SELECT ${collected.join(', ')} FROM (${rows}) AS ${aggregate}${having}`;
  return `${embed.wanted.inner ? 'INNER' : 'LEFT'} JOIN LATERAL (${subquery}) AS ${aggregate} ON TRUE`;
}

function embedSource({ relationship, node }: Embed, parent: ReadNode, parentSource: Source): Source {
  const { computed, junction, target } = relationship;
  const alias = identifier(node.alias);
  const outer = identifier(parent.alias);
  const row = `${alias}.*`;
  const equal = (pairs: ColumnPairs, left: string, right: string) =>
    pairs.map(([a, b]) => `${left}.${identifier(a)} = ${right}.${identifier(b)}`);
  if (computed) return { from: `${qualified(computed)}(${parentSource.row}) AS ${alias}`, joins: [], row };
  const from = `${qualified(target)} AS ${alias}`;
  if (!junction) return { from, joins: equal(relationship.columns, outer, alias), row };
  const between = identifier(`${node.alias}_junction`);
  return {
    from: `${from} CROSS JOIN ${qualified(junction.relation)} AS ${between}`,
    joins: [...equal(junction.columns, between, alias), ...equal(relationship.columns, outer, between)],
    row,
  };
}

function orderSql(
  { term, embed }: PlannedOrder,
  node: ReadNode,
  source: Source,
  statement: Statement,
): string {
  const value = embed
    ? `(${rowsSql(fieldSql(term.field, embed.node, statement), { ...embed.node, limit: 1 }, embedSource(embed, node, source), statement)})`
    : fieldSql(term.field, node, statement);
  return [value, term.direction, term.nulls].filter((part) => part !== undefined).join(' ');
}
