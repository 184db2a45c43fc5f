import { RestError } from '../errors.ts';
import { mostSimilar } from './did-you-mean.ts';
import type { Routine, Schema } from './schema-cache.ts';

/** The properties of a call by which its overload is chosen. */
export interface Call {
  schema: string;
  name: string;
  keys: string[];
  post: boolean;
  contentType: string;
}

const WHOLE_BODY = new Map([
  ['application/json', ['json', 'jsonb']],
  ['text/plain', ['text']],
  ['text/xml', ['xml']],
  ['application/xml', ['xml']],
  ['application/octet-stream', ['bytea']],
]);

/** Whether the content type only suits a function that takes the whole body. */
export const isWholeBody = (contentType: string) =>
  contentType !== 'application/json' && WHOLE_BODY.has(contentType);

/**
 * The overload whose parameters fit the given names, else one that takes the whole body.
 *
 * @throws RestError PGRST202 when none fits, PGRST203 when several do
 */
export function findRoutine(schema: Schema, call: Call): Routine {
  const overloads = schema.routines.get(call.schema)?.get(call.name) ?? [];
  const named = overloads.filter((routine) => fits(routine, call));
  const found = named.length > 0 ? named : overloads.filter((routine) => takesBody(routine, call));
  const [first, ...others] = found;
  if (!first) throw notFound(schema, call, overloads);
  if (others.length === 0) return first;
  const shapes = found.map(
    (routine) =>
      `${routine.schema}.${routine.name}(${routine.parameters.map((parameter) => `${parameter.name} => ${parameter.type}`).join(', ')})`,
  );
  throw new RestError(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${shapes.join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  );
}

function fits(routine: Routine, call: Call): boolean {
  if (call.post && isWholeBody(call.contentType)) return false;
  const { parameters } = routine;
  return (
    call.keys.every((key) => parameters.some((parameter) => parameter.name === key)) &&
    parameters.every((parameter) => !parameter.required || call.keys.includes(parameter.name))
  );
}

function takesBody(routine: Routine, call: Call): boolean {
  const [only] = routine.parameters;
  if (!call.post || !only || routine.parameters.length > 1) return false;
  return only.name === '' && WHOLE_BODY.get(call.contentType)?.includes(only.type) === true;
}

function notFound(schema: Schema, call: Call, overloads: Routine[]): RestError {
  const name = `${call.schema}.${call.name}`;
  const whole = call.post && isWholeBody(call.contentType);
  const keys = call.keys.toSorted();
  const signature = keys.length === 0 ? ' without parameters' : `(${keys.join(', ')})`;
  const searched =
    keys.length === 0
      ? ' without parameters'
      : ` with parameter${keys.length > 1 ? 's' : ''} ${keys.join(', ')}`;
  const bodyType = WHOLE_BODY.get(call.contentType);
  const extra = call.post && bodyType ? `with a single unnamed ${bodyType.join('/')} parameter` : '';
  const details = whole ? ` ${extra}` : `${searched}${extra ? ` or ${extra}` : ''}`;
  return new RestError(
    404,
    'PGRST202',
    `Could not find the function ${name}${whole ? '' : signature} in the schema cache`,
    {
      details: `Searched for the function ${name}${details}, but no matches were found in the schema cache.`,
      hint: whole ? null : hintFor(schema, call, overloads, keys),
    },
  );
}

function hintFor(schema: Schema, call: Call, overloads: Routine[], keys: string[]): string | null {
  const signature = (names: string[]) => `(${names.toSorted().join(', ')})`;
  const shapes = overloads.map((routine) => signature(routine.parameters.map((parameter) => parameter.name)));
  const [best] =
    overloads.length > 0
      ? mostSimilar(signature(keys), shapes, 0.33)
      : mostSimilar(call.name, schema.routines.get(call.schema)?.keys() ?? []);
  if (best === undefined) return null;
  return `Perhaps you meant to call the function ${call.schema}.${overloads.length > 0 ? call.name : ''}${best}`;
}
