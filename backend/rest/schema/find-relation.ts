import { RestError } from '../errors.ts';
import { mostSimilar } from './did-you-mean.ts';
import type { Relation } from './relation.ts';
import type { Schema } from './schema-cache.ts';

/** @throws RestError PGRST205 */
export function findRelation(schema: Schema, schemaName: string, name: string): Relation {
  const relations = schema.relations.get(schemaName);
  const relation = relations?.get(name);
  if (relation) return relation;
  const [similar] = mostSimilar(name, relations?.keys() ?? []);
  throw new RestError(
    404,
    'PGRST205',
    `Could not find the table '${schemaName}.${name}' in the schema cache`,
    {
      hint: similar === undefined ? null : `Perhaps you meant the table '${schemaName}.${similar}'`,
    },
  );
}
