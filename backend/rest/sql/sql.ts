import { badQuery } from '../errors.ts';

/** A statement in the making: every value from the request goes through `bind`, every name through `identifier`. */
export class Statement {
  readonly values: (string | Buffer)[] = [];

  /** Its type is left to PostgreSQL, which takes it from the column or operator beside it. */
  bind(value: string | Buffer): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * A name from the request or the schema as SQL takes it, whatever its letters.
 *
 * @throws RestError PGRST100 for a name with a zero byte
 */
export function identifier(name: string): string {
  // The protocol ends a statement's text at a zero byte.
  if (name.includes('\0')) throw badQuery('A name cannot contain a zero byte');
  return `"${name.replaceAll('"', '""')}"`;
}

/** The name with its schema, so that no search path decides what is meant. */
export function qualified(object: { schema: string; name: string }): string {
  return `${identifier(object.schema)}.${identifier(object.name)}`;
}

/** As a literal, for names that come from the catalogue. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** `{"a","b"}`; bound as one value, its element type follows from the column. */
export function arrayLiteral(values: string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
