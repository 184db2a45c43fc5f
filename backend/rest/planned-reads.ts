import { randomUUID } from 'node:crypto';
import type { Format } from './media-type.ts';
import type { Preferences } from './preferences.ts';

/** A read that is understood, with its statement. */
export interface ReadStatement {
  sql: string;
  values: (string | Buffer)[];
  /** The rows that it skips. */
  offset: number;
  format: Format;
  preferences: Preferences;
}

/** A query string apart from the values of its plain comparisons. */
export interface Shape {
  /** The same for query strings that differ in those values alone. */
  text: string;
  /** The values, decoded. */
  values: string[];
}

/** The characters of all statements that are kept, and of what they are found by. */
const MAX_CHARACTERS = 4_000_000;
const COMPARISON =
  /(?<=^|&)(?!(?:[^&=]*\.)?(?:select|columns|on_conflict|order|limit|offset|and|or)=)([^&=]*=(?:eq|neq|gte?|lte?)\.)([^&]*)/g;
/** What stands for a value: no client can know it, so no client's own value is taken for one. */
const MARK = randomUUID();

/** @param query as it was sent, in which a line break cannot occur */
export function shapeOf(query: string): Shape {
  const values: string[] = [];
  const text = query.replace(COMPARISON, (_, start: string, value: string) => {
    values.push(/[%+]/.test(value) ? (new URLSearchParams(`v=${value}`).get('v') ?? '') : value);
    return `${start}\n`;
  });
  return { text, values };
}

interface Plan extends Omit<ReadStatement, 'values'> {
  /** Texts, or the places of values in the query string. */
  values: (string | Buffer | number)[];
  characters: number;
}

/**
 * The statements of reads, by all that they depend on but the values they compare with: to read a query string
 * and write its SQL takes longer than all else that a small read needs.
 */
export class PlannedReads {
  /** The schema that the plans were made for; they are forgotten when it is read again. */
  #schema: object | undefined;
  /** Least recently used first. */
  readonly #plans = new Map<string, Plan>();
  #characters = 0;

  /** @param key names all that the statement depends on, the shape's text among it */
  find(schema: object, key: string, shape: Shape): ReadStatement | undefined {
    if (schema !== this.#schema) {
      this.#schema = schema;
      this.#plans.clear();
      this.#characters = 0;
    }
    const plan = this.#plans.get(key);
    if (!plan) return undefined;
    this.#plans.delete(key);
    this.#plans.set(key, plan);
    const values = plan.values.map((value) =>
      typeof value === 'number' ? (shape.values[value] ?? '') : value,
    );
    return { ...plan, values };
  }

  /**
   * Keeps a plan, unless a value that looked like one to compare with turns out to be a part of the statement.
   *
   * @param make understands a query string
   */
  keep(key: string, shape: Shape, make: (query: string) => ReadStatement): void {
    let index = 0;
    let made: ReadStatement;
    try {
      made = make(shape.text.replaceAll('\n', () => `${MARK}.${index++}`));
    } catch {
      return;
    }
    const places = new Map(shape.values.map((_, at) => [`${MARK}.${at}`, at]));
    const values = made.values.map((value) => places.get(String(value)) ?? value);
    if (made.sql.includes(MARK) || !shape.values.every((_, at) => values.includes(at))) return;
    const characters =
      key.length +
      made.sql.length +
      values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? 1 : value.length), 0);
    this.#plans.set(key, { ...made, values, characters });
    this.#characters += characters;
    for (const [oldest, plan] of this.#plans) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#plans.delete(oldest);
      this.#characters -= plan.characters;
    }
  }
}
