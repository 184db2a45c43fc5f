import {
  type Choice,
  childrenOf,
  choiceOf,
  hasLetters,
  hasText,
  isString,
  type Node,
  shownText,
} from './nodes.ts';

/** A text of the interface with places for what it is filled in with. */
export interface Message {
  /** In English: `{0}` stands for a value, `<1>…</1>` for what is marked up. */
  text: string;
  /** The same of several, where the text depends on a number. */
  plural?: string;
  /** What stands at each place, in the words of the source. */
  places: readonly string[];
}

/** A message in another language: its one text, or that of each plural form. Nothing leaves it in English. */
export type Translate = (message: Message) => readonly string[] | undefined;

/** A part of a sentence: words, a value, or what is marked up in it. */
export type Piece = { words: string } | { value: Node } | { element: Node; pieces: Piece[] };

/** The pieces of a string or template, or of a value that stands for itself. */
export function piecesOf(node: Node): Piece[] {
  if (isString(node)) return [{ words: node.value }];
  if (node.type !== 'TemplateLiteral') return [{ value: node }];
  return node.quasis.flatMap((quasi: Node, at: number): Piece[] => {
    const value = node.expressions[at] as Node | undefined;
    return [{ words: quasi.value.cooked }, ...(value ? piecesOf(value) : [])];
  });
}

/** The pieces of what stands between two tags. */
export const piecesBetween = (children: Node[]): Piece[] =>
  children.flatMap((child): Piece[] => {
    if (child.type === 'JSXText') return [{ words: shownText(child) }];
    if (child.type === 'JSXExpressionContainer')
      return child.expression.type === 'JSXEmptyExpression' ? [] : piecesOf(child.expression);
    if (child.type === 'JSXElement' && hasText(child.children))
      return [{ element: child, pieces: piecesBetween(child.children) }];
    return [{ value: child }];
  });

/** What a sentence is written with: in a template, or between tags. */
interface Form {
  words: (words: string) => string;
  value: (node: Node, code: string) => string;
  /** One of several sentences. */
  whole: (code: string) => string;
  choice: (code: string) => string;
}

const IN_TEMPLATE: Form = {
  words: (words) => words.replace(/[\\`]|\$(?=\{)/g, '\\$&'),
  value: (_, code) => `\${${code}}`,
  whole: (code) => `\`${code}\``,
  choice: (code) => `\${${code}}`,
};

const BETWEEN_TAGS: Form = {
  words: (words) => (words === '' ? '' : `{${JSON.stringify(words)}}`),
  value: (node, code) => (node.type.startsWith('JSX') ? code : `{${code}}`),
  whole: (code) => `<>${code}</>`,
  choice: (code) => `{${code}}`,
};

/**
 * The plural forms of a language in the order of a message's texts, which is that of gettext. Programs for translators leave out
 * those of fractions or millions: the last text is said of what has none of its own.
 * https://cldr.unicode.org/index/cldr-spec/plural-rules
 */
export const pluralForms = (tag: string): string[] => {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  return ['zero', 'one', 'two', 'few', 'many', 'other'].filter((form) =>
    pluralCategories.includes(form as Intl.LDMLPluralRule),
  );
};

/** Sentences that differ by more choices than this are said in parts: a translator would get each of eight. */
const MAX_CHOICES = 2;

/** What writes sentences into a source. */
export interface Writer {
  /** The tag of the other language. */
  tag: string;
  translate: Translate;
  /** The English source of a node. */
  source: (node: Node) => string;
  /** The source of a node with the texts in it in the other language. */
  codeOf: (node: Node) => string;
}

/**
 * The code that says a sentence in the other language: in a template without its quotes, or between tags.
 *
 * @returns undefined where it stays as it is: it has no words of its own, or no translation
 * @throws on a translation with other places than the sentence has
 */
export function say(pieces: Piece[], isTemplate: boolean, writer: Writer): string | undefined {
  const form = isTemplate ? IN_TEMPLATE : BETWEEN_TAGS;
  let isSaid = false;

  /** The pieces where a condition holds or does not hold. */
  const choose = (pieces: Piece[], condition: string, isYes: boolean): Piece[] =>
    pieces.flatMap((piece): Piece[] => {
      if ('element' in piece) return [{ ...piece, pieces: choose(piece.pieces, condition, isYes) }];
      const choice = 'value' in piece ? choiceOf(piece.value) : undefined;
      if (!choice || writer.source(choice.condition) !== condition) return [piece];
      const said = isYes ? choice.yes : choice.no;
      return said ? piecesOf(said) : [];
    });

  const sourceOf = (piece: Piece) =>
    'value' in piece ? writer.source(piece.value) : 'element' in piece ? writer.source(piece.element) : '';

  /** What stands at a place by itself. */
  const place = (piece: Piece): string =>
    'words' in piece
      ? form.words(piece.words)
      : form.value(
          'value' in piece ? piece.value : piece.element,
          writer.codeOf('value' in piece ? piece.value : piece.element),
        );

  function sentence(all: Piece[], choicesLeft: number): string {
    const choices = choicesIn(all);
    const choice = choices.find(({ count }) => !count);
    if (!choice || choicesLeft === 0) return plain(all, choices.find(({ count }) => count)?.condition);
    const [yes, no] = [true, false].map((isYes) =>
      form.whole(sentence(choose(all, writer.source(choice.condition), isYes), choicesLeft - 1)),
    );
    return form.choice(`${writer.codeOf(choice.condition)} ? ${yes} : ${no}`);
  }

  /** A sentence that is the same always, or depends on whether a number is one. */
  function plain(all: Piece[], isOne: Node | undefined): string {
    const isEdge = (piece: Piece | undefined) =>
      piece !== undefined &&
      ('words' in piece
        ? piece.words.trim() === ''
        : !isTemplate && 'value' in piece && standsBeside(piece.value));
    let [from, to] = [0, all.length];
    while (from < to && isEdge(all[from])) from += 1;
    while (to > from && isEdge(all[to - 1])) to -= 1;
    const inner = all.slice(from, to);
    const [one = inner, several] = isOne
      ? [true, false].map((isYes) => choose(inner, writer.source(isOne), isYes))
      : [];
    const places: Piece[] = [];
    const number = (piece: Piece) => {
      const found = places.findIndex((some) => sourceOf(some) === sourceOf(piece));
      return found < 0 ? places.push(piece) - 1 : found;
    };
    const write = (some: Piece[]): string =>
      some
        .map((piece) => {
          if ('words' in piece) return piece.words;
          const at = number(piece);
          return 'value' in piece ? `{${at}}` : `<${at}>${write(piece.pieces)}</${at}>`;
        })
        .join('');
    const english = write(one);
    const text = { text: english.trim(), ...(several && { plural: write(several).trim() }) };
    const message = { ...text, places: places.map(sourceOf) };
    // An address is no text, and what is only filled in has none.
    const found = hasLetters(message.text.replace(/[{<]\/?\d+[}>]|\/[\w.-]*/g, ''))
      ? writer.translate(message)
      : undefined;
    if (!found) return all.map(place).join('');
    isSaid = true;
    const [before = '', after = ''] = [/^\s*/, /\s*$/].map((blanks) => blanks.exec(english)?.[0]);
    const filled = (text: string) => fill(text, places, message.plural !== undefined);
    const said =
      message.plural === undefined
        ? filled(found[0] as string)
        : form.choice(
            byNumber(
              isOne?.left,
              found.map((text) => form.whole(filled(text))),
            ),
          );
    return [
      ...all.slice(0, from).map(place),
      form.words(before),
      said,
      form.words(after),
      ...all.slice(to).map(place),
    ].join('');
  }

  /** Chooses the text of a number's plural form. */
  const byNumber = (count: Node, texts: string[]): string =>
    texts
      .map((text, at) =>
        at === texts.length - 1
          ? text
          : `new Intl.PluralRules('${writer.tag}').select(Number(${writer.codeOf(count)})) === '${pluralForms(writer.tag)[at]}' ? ${text} : `,
      )
      .join('');

  /** A translated text with what stands at its places. */
  function fill(text: string, places: Piece[], mayOmit: boolean): string {
    const used = new Set<number>();
    const open: number[] = [];
    const fail = (why: string) => new Error(`“${text}” ${why}`);
    const code = text.split(/([{<]\/?\d+[}>])/).map((part) => {
      const [, bracket, slash, digits] = /^([{<])(\/?)(\d+)[}>]$/.exec(part) ?? [];
      if (bracket === undefined) return form.words(part);
      const at = Number(digits);
      const piece = places[at];
      if (!piece || 'words' in piece || 'element' in piece !== (bracket === '<'))
        throw fail(`has ${part}, which the English text does not have`);
      used.add(at);
      if ('value' in piece) return place(piece);
      if (slash ? open.pop() !== at : open.push(at) === 0) throw fail(`has ${part} at the wrong place`);
      const { openingElement, closingElement } = piece.element;
      return slash ? writer.source(closingElement) : writer.codeOf(openingElement);
    });
    if (open.length > 0) throw fail('has markup without its end');
    if (!mayOmit && used.size < places.length) throw fail('leaves out a part of the English text');
    return code.join('');
  }

  const code = sentence(pieces, MAX_CHOICES);
  return isSaid ? code : undefined;
}

/** Whether a value stands beside a sentence rather than in it: a sign in front of it does, an element around a value does not. */
const standsBeside = (node: Node): boolean => {
  if (choiceOf(node)) return false;
  if (/^JSX(Element|Fragment)$/.test(node.type))
    return node.children.every(
      (child: Node) =>
        child.type !== 'JSXExpressionContainer' && (child.type !== 'JSXElement' || standsBeside(child)),
    );
  return [...childrenOf(node)].some(([, child]) => standsBeside(child));
};

const choicesIn = (pieces: Piece[]): Choice[] =>
  pieces.flatMap((piece) => {
    if ('element' in piece) return choicesIn(piece.pieces);
    const choice = 'value' in piece && choiceOf(piece.value);
    return choice ? [choice] : [];
  });
