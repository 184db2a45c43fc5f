import { badQuery } from '../errors.ts';

const NAME = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy;
const JSON_KEY = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/uy;

/** A cursor over one part of the query string, which fails with PostgREST's messages. */
export class Scanner {
  readonly #text: string;
  readonly #what: string;
  #at = 0;

  /** @param what for messages, e.g. `failed to parse filter (eq.1)` */
  constructor(text: string, what: string) {
    this.#text = text;
    this.#what = what;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character, empty at the end. */
  get ahead(): string {
    return this.#text.charAt(this.#at);
  }

  get position(): number {
    return this.#at;
  }

  set position(at: number) {
    this.#at = at;
  }

  startsWith(literal: string): boolean {
    return this.#text.startsWith(literal, this.#at);
  }

  accept(literal: string): boolean {
    if (!this.startsWith(literal)) return false;
    this.#at += literal.length;
    return true;
  }

  expect(literal: string): void {
    if (!this.accept(literal)) this.fail(`"${literal}"`);
  }

  /** The text that a sticky expression matches here, or undefined. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  remaining(): string {
    const remaining = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return remaining;
  }

  spaces(): void {
    this.match(/[ \t]*/y);
  }

  /** Whether `name` would find one here. */
  startsName(): boolean {
    NAME.lastIndex = this.#at;
    return this.startsWith('"') || NAME.test(this.#text);
  }

  /** A column, relation or alias: bare words (dashes allowed) or any text in double quotes. */
  name(): string {
    if (this.startsWith('"')) return this.quoted();
    const word = this.match(NAME)?.trim();
    if (!word) this.fail('field name (* or [a..z0..9_$])');
    return word;
  }

  /** A key inside a JSON value, without the marks of the query's own grammar unless it stands in double quotes. */
  jsonKey(): string {
    if (this.startsWith('"')) return this.quoted();
    const word = this.match(JSON_KEY)?.trim();
    if (!word) this.fail('"-", digit or any non reserved character different from: .,>()');
    return word;
  }

  quoted(): string {
    return this.tryQuoted() ?? this.fail('closing double quote');
  }

  /** The text in double quotes that begins here; undefined where none does, or where it has no end. */
  tryQuoted(): string | undefined {
    return this.match(/"(?:[^"\\]|\\[\s\S])*"/y)
      ?.slice(1, -1)
      .replaceAll(/\\([\s\S])/g, '$1');
  }

  end(expecting: string): void {
    if (!this.done) this.fail(`${expecting} or end of input`);
  }

  /**
   * @param expecting what could have stood here
   * @param found what stands here instead, by default the next character
   */
  fail(expecting: string, found?: string): never {
    const next = found ?? (this.done ? 'end of input' : `"${this.#text.charAt(this.#at)}"`);
    throw badQuery(
      `"${this.#what}" (line 1, column ${this.#at + 1})`,
      `unexpected ${next} expecting ${expecting}`,
    );
  }

  /** Fails where one of some words should be, with the character by which the text differs from the first one. */
  failAtWord(words: string[]): never {
    const first = words[0] ?? '';
    let same = 0;
    while (first.charAt(same) === this.#text.charAt(this.#at + same) && same < first.length) same++;
    const found = this.#text.charAt(this.#at + same);
    const quoted = words.map((word) => `"${word}"`);
    this.fail(
      [quoted.slice(0, -1).join(', '), quoted.at(-1)].join(' or '),
      found === '' ? 'end of input' : `"${found}"`,
    );
  }
}
