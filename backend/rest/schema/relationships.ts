import type { Catalogue } from './catalogue.ts';
import type { Relation } from './relation.ts';
import type { ViewColumns } from './view-columns.ts';

export type ColumnPairs = [source: string, target: string][];

/** A way from the rows of one relation to those of another. */
export interface Relationship {
  kind: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many' | 'computed';
  source: Relation;
  target: Relation;
  constraint: string;
  /** Joined columns; for many-to-many those between source and junction. */
  columns: ColumnPairs;
  junction: { relation: Relation; constraint: string; columns: ColumnPairs } | undefined;
  /** The function of a computed relationship, and whether it gives at most one row. */
  computed: { schema: string; name: string; toOne: boolean } | undefined;
}

/** Whether it leads to at most one row, which is then embedded as an object and not as an array. */
export function isToOne(relationship: Relationship): boolean {
  return (
    relationship.kind === 'many-to-one' ||
    relationship.kind === 'one-to-one' ||
    relationship.computed?.toOne === true
  );
}

/** Relationships by the relation they start from. */
export type Relationships = Map<Relation, Relationship[]>;

/**
 * Derives the graph from foreign keys: both directions, through views that pass the columns on, through
 * junction tables whose primary key holds both foreign keys, and through functions that take a row.
 */
export function buildRelationships(
  catalogue: Catalogue,
  relations: ReadonlyMap<number, Relation>,
  viewColumns: ViewColumns,
  exposed: readonly string[],
): Relationships {
  const forward = foreignKeys(catalogue, relations, viewColumns);
  const all = [...forward, ...forward.map(inverse), ...manyToMany(forward)];
  const result: Relationships = new Map();
  const isExposed = (relation: Relation) => exposed.includes(relation.schema);
  const add = (relationship: Relationship) => {
    if (!isExposed(relationship.source) || !isExposed(relationship.target)) return;
    if (relationship.junction && !isExposed(relationship.junction.relation)) return;
    const list = result.get(relationship.source) ?? [];
    list.push(relationship);
    result.set(relationship.source, list);
  };
  const computed = computedRelationships(catalogue, relations);
  for (const relationship of all) {
    // A function named like a related table replaces the relationship of the foreign keys.
    const replaced = computed.some(
      (other) =>
        other.source === relationship.source &&
        other.computed?.name === relationship.target.name &&
        other.computed.schema === relationship.target.schema,
    );
    if (!replaced) add(relationship);
  }
  for (const relationship of computed) add(relationship);
  for (const list of result.values()) list.sort(inOrderOfListing);
  return result;
}

/** For each foreign key one relationship per pair of relations (tables and views) that have all its columns. */
function foreignKeys(
  catalogue: Catalogue,
  relations: ReadonlyMap<number, Relation>,
  viewColumns: ViewColumns,
): Relationship[] {
  const uniqueKeys = new Set(
    catalogue.constraints
      .filter((key) => key.kind !== 'f')
      .map((key) => `${key.table}:${key.columns.toSorted().join()}`),
  );
  return catalogue.constraints.flatMap((key) => {
    if (key.kind !== 'f' || !key.foreignColumns) return [];
    const foreignColumns = key.foreignColumns;
    const kind = uniqueKeys.has(`${key.table}:${key.columns.toSorted().join()}`)
      ? 'one-to-one'
      : 'many-to-one';
    const sources = withColumns(key.table, key.columns, relations, viewColumns);
    const targets = withColumns(key.foreignTable, foreignColumns, relations, viewColumns);
    return sources.flatMap((source) =>
      targets.map(
        (target): Relationship => ({
          kind,
          source: source.relation,
          target: target.relation,
          constraint: key.name,
          columns: source.names.map((name, index) => [name, target.names[index] ?? '']),
          junction: undefined,
          computed: undefined,
        }),
      ),
    );
  });
}

/** A view that shows a column twice has it under either name. */
function withColumns(
  table: number,
  columns: number[],
  relations: ReadonlyMap<number, Relation>,
  viewColumns: ViewColumns,
): { relation: Relation; names: string[] }[] {
  const found = [];
  const own = relations.get(table);
  if (own) found.push({ relation: own, names: columns.map((number) => own.names.get(number) ?? '') });
  for (const [oid, origins] of viewColumns) {
    const relation = relations.get(oid);
    if (!relation) continue;
    const namesOf = (column: number) =>
      [...origins].flatMap(([number, origin]) =>
        origin.table === table && origin.column === column ? (relation.names.get(number) ?? []) : [],
      );
    for (const names of combinations(columns.map(namesOf))) found.push({ relation, names });
  }
  return found;
}

/** Every way to take one of each list, up to a number among which a client could choose. */
function combinations(lists: string[][]): string[][] {
  let result: string[][] = [[]];
  for (const list of lists)
    result = result.flatMap((start) => list.map((name) => [...start, name])).slice(0, MAX_COMBINATIONS);
  return result;
}

const MAX_COMBINATIONS = 16;

const LISTED_KINDS: Relationship['kind'][] = [
  'one-to-many',
  'many-to-one',
  'one-to-one',
  'many-to-many',
  'computed',
];

/** The order in which PostgREST lists the relationships that a request could mean. */
function inOrderOfListing(a: Relationship, b: Relationship): number {
  const key = ({ target, kind, constraint, columns, junction }: Relationship) => [
    target.schema,
    target.name,
    String(LISTED_KINDS.indexOf(kind)),
    junction?.relation.name ?? '',
    constraint,
    junction?.constraint ?? '',
    ...columns.flat(),
    ...(junction?.columns.flat() ?? []),
  ];
  const [left, right] = [key(a), key(b)];
  const index = left.findIndex((text, position) => text !== right[position]);
  return index < 0 ? 0 : (left[index] ?? '') < (right[index] ?? '') ? -1 : 1;
}

function inverse(relationship: Relationship): Relationship {
  return {
    ...relationship,
    kind: relationship.kind === 'one-to-one' ? 'one-to-one' : 'one-to-many',
    source: relationship.target,
    target: relationship.source,
    columns: relationship.columns.map(([source, target]) => [target, source]),
  };
}

function manyToMany(forward: Relationship[]): Relationship[] {
  const bySource = Map.groupBy(forward, (relationship) => relationship.source);
  return [...bySource].flatMap(([junction, keys]) =>
    keys.flatMap((near) =>
      keys.flatMap((far): Relationship[] => {
        if (near.constraint === far.constraint) return [];
        const columns = [...near.columns, ...far.columns].map(([column]) => column);
        if (!columns.every((column) => junction.primaryKey.includes(column))) return [];
        return [
          {
            kind: 'many-to-many',
            source: near.target,
            target: far.target,
            constraint: near.constraint,
            columns: near.columns.map(([column, source]) => [source, column]),
            junction: { relation: junction, constraint: far.constraint, columns: far.columns },
            computed: undefined,
          },
        ];
      }),
    ),
  );
}

function computedRelationships(
  catalogue: Catalogue,
  relations: ReadonlyMap<number, Relation>,
): Relationship[] {
  return catalogue.functions.flatMap((routine): Relationship[] => {
    const [parameter, ...others] = routine.parameters;
    const source = parameter?.relation ? relations.get(parameter.relation) : undefined;
    const target = routine.returnRelation ? relations.get(routine.returnRelation) : undefined;
    if (!source || !target || others.length > 0) return [];
    const toOne = !routine.returnsSet || routine.rows === 1;
    return [
      {
        kind: 'computed',
        source,
        target,
        constraint: routine.name,
        columns: [],
        junction: undefined,
        computed: { schema: routine.schema, name: routine.name, toOne },
      },
    ];
  });
}
