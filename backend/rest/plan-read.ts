import { notEmbedded, RestError } from './errors.ts';
import type { Condition, Located } from './parse/filter.ts';
import type { OrderTerm, Query } from './parse/query.ts';
import type { SelectField, SelectItem, SelectRelation } from './parse/select.ts';
import { findRelationship, type NoRelation } from './schema/find-relationship.ts';
import type { Relation } from './schema/relation.ts';
import { isToOne, type Relationship } from './schema/relationships.ts';
import type { Schema } from './schema/schema-cache.ts';

/** A filter's tree in which "does this embed exist" stands beside ordinary conditions. */
export type PlannedCondition =
  | Extract<Condition, { kind: 'filter' }>
  | { kind: 'and' | 'or'; negated: boolean; terms: PlannedCondition[] }
  | { kind: 'presence'; embed: Embed; present: boolean };

export interface PlannedOrder {
  term: OrderTerm;
  /** Set when ordered by a column of this embed. */
  embed: Embed | undefined;
}

/** One relation to read from, with all parameters that apply to its rows. */
export interface ReadNode {
  relation: Relation | undefined;
  /** The alias of its rows in SQL; shows in the database's messages. */
  alias: string;
  items: (SelectField | Embed)[];
  conditions: PlannedCondition[];
  order: PlannedOrder[];
  limit: number | undefined;
  offset: number;
}

export interface Embed {
  kind: 'embed';
  wanted: SelectRelation;
  relationship: Relationship;
  toOne: boolean;
  node: ReadNode;
  /** Name in the result. */
  output: string;
  /** The alias of the subquery's result in SQL. */
  aggregate: string;
}

/** The relations that are read with each row, among the columns and embeds of a node. */
export function embedsOf(node: ReadNode): Embed[] {
  return node.items.filter((item) => item.kind === 'embed');
}

/** An embed without any column, there only for its filters. */
export function isEmpty(embed: Embed): boolean {
  return embed.node.items.every((item) => item.kind === 'embed' && isEmpty(item));
}

export interface ReadOptions {
  relation: Relation | undefined;
  alias: string;
  /** Where relationships are looked for. */
  schemaName: string;
  maxRows: number | undefined;
  /** False for writes, whose filters choose the rows to write rather than to show. */
  filterRoot: boolean;
}

/**
 * Resolves the query string's tree against the schema cache.
 *
 * @throws RestError
 */
export function planRead(query: Query, schema: Schema, options: ReadOptions): ReadNode {
  const root = planNode(query.select, schema, options.relation, options.alias, [], options.schemaName);
  for (const located of query.conditions) {
    if (located.path.length === 0 && !options.filterRoot) continue;
    nodeAt(root, located).conditions.push(located.value);
  }
  for (const located of query.orders)
    nodeAt(root, located).order = located.value.map((term) => ({ term, embed: undefined }));
  for (const located of query.limits) nodeAt(root, located).limit = located.value;
  for (const located of query.offsets) nodeAt(root, located).offset = located.value;
  completePlan(root, options.maxRows);
  return root;
}

function planNode(
  items: SelectItem[],
  schema: Schema,
  relation: Relation | undefined,
  alias: string,
  ancestors: string[],
  schemaName: string,
): ReadNode {
  const path = [...ancestors, alias];
  return {
    relation,
    alias,
    items: items.map((item) =>
      item.kind === 'field'
        ? item
        : planEmbed(item, schema, relation ?? { schema: schemaName, name: alias }, path),
    ),
    conditions: [],
    order: [],
    limit: undefined,
    offset: 0,
  };
}

function planEmbed(
  wanted: SelectRelation,
  schema: Schema,
  source: Relation | NoRelation,
  path: string[],
): Embed {
  const relationship = findRelationship(schema, source, wanted);
  const output = wanted.alias ?? wanted.name;
  let alias = `${relationship.target.name}_${path.length}`;
  // A table may really have this name, and its rows must not be taken for the outer ones.
  while (path.includes(alias)) alias += '_';
  return {
    kind: 'embed',
    wanted,
    relationship,
    toOne: isToOne(relationship),
    node: planNode(wanted.items, schema, relationship.target, alias, path, source.schema),
    output,
    aggregate: `${source.name}_${output}_${path.length}`,
  };
}

function nodeAt<T>(root: ReadNode, located: Located<T>): ReadNode {
  let node = root;
  for (const name of located.path) {
    const embed = embedsOf(node).find((item) => item.wanted.name === name || item.wanted.alias === name);
    if (!embed) throw notEmbedded(name);
    node = embed.node;
  }
  return node;
}

function completePlan(node: ReadNode, maxRows: number | undefined): void {
  const embeds = embedsOf(node);
  node.conditions = node.conditions.map((condition) => withPresence(condition, embeds));
  node.order = node.order.map((order) => ({ ...order, embed: orderedEmbed(order.term, node, embeds) }));
  if (maxRows !== undefined) node.limit = Math.min(node.limit ?? maxRows, maxRows);
  for (const embed of embeds) completePlan(embed.node, maxRows);
}

/** `rel=is.null` and `rel=not.is.null` ask whether the embed has rows. */
function withPresence(condition: PlannedCondition, embeds: Embed[]): PlannedCondition {
  if (condition.kind === 'presence') return condition;
  if (condition.kind !== 'filter') {
    return { ...condition, terms: condition.terms.map((term) => withPresence(term, embeds)) };
  }
  const { field, negated, operation } = condition;
  const asksNull = operation.kind === 'is' && (operation.value === 'NULL' || operation.value === 'NOT NULL');
  if (!asksNull || field.path.length > 0) return condition;
  // An embed is meant rather than a column of the same name, as in PostgREST.
  const embed = embeds.find((item) => item.output === field.name);
  if (!embed) return condition;
  return { kind: 'presence', embed, present: negated !== (operation.value === 'NOT NULL') };
}

function orderedEmbed(term: OrderTerm, node: ReadNode, embeds: Embed[]): Embed | undefined {
  if (term.relation === undefined) return undefined;
  const embed = embeds.find((item) => item.output === term.relation);
  if (!embed) throw notEmbedded(term.relation);
  if (embed.toOne) return embed;
  const origin = node.relation?.name ?? node.alias;
  throw new RestError(400, 'PGRST118', `A related order on '${embed.output}' is not possible`, {
    details: `'${origin}' and '${embed.output}' do not form a many-to-one or one-to-one relationship`,
  });
}
