import { RestError } from '../errors.ts';
import type { SelectRelation } from '../parse/select.ts';
import { mostSimilar } from './did-you-mean.ts';
import type { Relation } from './relation.ts';
import type { Relationship } from './relationships.ts';
import type { Schema } from './schema-cache.ts';

/** The result of a function that returns no relation, which nothing can be embedded in. */
export type NoRelation = Pick<Relation, 'schema' | 'name'>;

/**
 * The one relationship an embed in `select` means.
 *
 * @throws RestError PGRST200 when there is none, PGRST201 when there are several
 */
export function findRelationship(
  schema: Schema,
  source: Relation | NoRelation,
  wanted: SelectRelation,
): Relationship {
  const all = 'kind' in source ? (schema.relationships.get(source) ?? []) : [];
  const found = all.filter((relationship) => matches(relationship, wanted.name, wanted.hint));
  const [first, ...others] = found;
  if (!first) throw notFound(schema, source, wanted, all);
  if (others.length > 0) throw ambiguous(source, wanted, found);
  return first;
}

function matches(relationship: Relationship, target: string, hint: string | undefined): boolean {
  const { kind, source, target: foreign } = relationship;
  if (kind === 'computed') return relationship.constraint === target;
  const isTarget = target === foreign.name;
  const single =
    relationship.columns.length === 1 && kind !== 'many-to-many' ? relationship.columns[0] : undefined;
  if (source === foreign) {
    // One foreign key, two directions: the table's name means the many, the column's the one. PostgREST
    // knows no other way here.
    if (kind === 'many-to-one') return hint === undefined && single?.[0] === target;
    return isTarget && kind === 'one-to-many' && (hint === undefined || single?.[1] === hint);
  }
  if (hint === undefined) {
    if (isTarget) return true;
    if (foreign.kind === 'view' || kind === 'many-to-many') return false;
    return relationship.constraint === target || single?.[0] === target;
  }
  if (!isTarget) return false;
  if (kind === 'many-to-many') return relationship.junction?.relation.name === hint;
  return relationship.constraint === hint || single?.[0] === hint || single?.[1] === hint;
}

function notFound(
  schema: Schema,
  source: NoRelation,
  wanted: SelectRelation,
  all: Relationship[],
): RestError {
  const children = all.map((relationship) => relationship.target.name);
  const parents = [...schema.relationships.keys()]
    .filter((relation) => relation.schema === source.schema)
    .map((relation) => relation.name);
  const [child, similarity = 0] = mostSimilar(wanted.name, children, 0.33);
  const [parent] = all.length === 0 ? mostSimilar(source.name, parents, 0.33) : [];
  // A name that is there is not the fault.
  const hint =
    child && similarity < 1
      ? `Perhaps you meant '${child}' instead of '${wanted.name}'.`
      : parent && `Perhaps you meant '${parent}' instead of '${source.name}'.`;
  const using = wanted.hint === undefined ? '' : `using the hint '${wanted.hint}' `;
  return new RestError(
    400,
    'PGRST200',
    `Could not find a relationship between '${source.name}' and '${wanted.name}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${source.name}' and '${wanted.name}' ${using}in the schema '${source.schema}', but no matches were found.`,
      hint: hint ?? null,
    },
  );
}

function ambiguous(source: NoRelation, wanted: SelectRelation, found: Relationship[]): RestError {
  const options = found.map(
    (relationship) =>
      `'${relationship.target.name}!${relationship.junction?.relation.name ?? relationship.constraint}'`,
  );
  return new RestError(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${source.name}' and '${wanted.name}'`,
    {
      details: found.map((relationship) => ({
        cardinality: relationship.kind,
        embedding: `${relationship.source.name} with ${relationship.target.name}`,
        relationship: describe(relationship),
      })),
      hint: `Try changing '${wanted.name}' to one of the following: ${options.join(', ')}. Find the desired relationship in the 'details' key.`,
    },
  );
}

function describe({ constraint, columns, junction, source, target }: Relationship): string {
  const near = columns.map(([column]) => column).join(', ');
  const far = columns.map(([, column]) => column).join(', ');
  if (!junction) return `${constraint} using ${source.name}(${near}) and ${target.name}(${far})`;
  const last = junction.columns.map(([column]) => column).join(', ');
  return `${junction.relation.name} using ${constraint}(${far}) and ${junction.constraint}(${last})`;
}
