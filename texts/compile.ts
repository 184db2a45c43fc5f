import { parseSync } from 'vite';
import {
  type Choice,
  childrenOf,
  choiceOf,
  decode,
  hasLetters,
  hasText,
  isString,
  isWritten,
  type Node,
  wordsOf,
} from './nodes.ts';
import { type Piece, piecesBetween, piecesOf, say, type Translate, type Writer } from './sentence.ts';

/** Attributes that are for programs and may look like texts. */
const FOR_PROGRAMS = new Set(['className', 'class', 'content', 'key', 'media', 'rel', 'textAnchor']);
/** Attributes and properties that are read out or shown, whatever they look like. */
const FOR_READERS =
  /^(aria-(label|description|valuetext|roledescription)|title|alt|placeholder|label|summary|hint|note|says|word|headline|counted)$/;

/** Functions that take names that may look like texts. */
const TAKES_NAMES = new Set([
  'classes',
  'knownText',
  'lazyPart',
  'matchMedia',
  'report',
  'set',
  'setRequestHeader',
  'startsWith',
]);

/** Whether a string says something to readers, where nothing around it tells. */
function readsAsText(text: string): boolean {
  const said = text.trim();
  const words = said.split(/\s+/);
  if (
    !/\p{L}{2}/u.test(said) ||
    /\/\w+\/|^\w+\.\p{L}/u.test(said) ||
    /\S {2}|\n/.test(said) ||
    /^(https?:|[/#.@<{[:]|--|[\w-]+=|[\w-]+\/[\w*+.-]+$)/.test(said)
  )
    return false;
  // One word is a text where it begins a sentence; a name of the code has other capitals in it.
  if (words.length === 1) return /^[“‘(]?\p{Lu}\p{Ll}+(?:[’-]\p{L}+)*[.…:,?!)”’]*$/u.test(said);
  // Names of classes, columns and the like have signs that words do not have.
  const isSentence = /^[“‘(]?\p{Lu}/u.test(said) && words.length > 3;
  if (!isSentence && words.some((word) => /\w_\w|^[a-z-]+:[a-z]|^-?[a-z-]+-[[\d]|^\w+\(|^!|=|^\[/.test(word)))
    return false;
  if (/^[a-z]/.test(said) && words.every((word) => /^[a-z\d-]+,?$/.test(word)) && /[a-z]-[a-z]|,/.test(said))
    return false;
  return (
    words.some((word) => /^[“‘(]?[\p{L}’]+[.…:,?!)”’]*$/u.test(word)) ||
    /^\p{Lu}[\p{Ll}-]+$/u.test(words[0] ?? '')
  );
}

/** A string or template with a number for each value in it. */
const spoken = (node: Node): string =>
  piecesOf(node)
    .map((piece) => {
      if ('words' in piece) return piece.words;
      const choice = 'value' in piece ? choiceOf(piece.value) : undefined;
      return choice ? spoken(choice.no ?? choice.yes) : '0';
    })
    .join('');

/** Whether one of the texts of a choice says something to readers, as a word does where it is of one or of several. */
const readsAsChoice = ({ count, yes, no }: Choice): boolean =>
  [yes, no].some((one) => one && (readsAsText(spoken(one)) || (count && /^\p{L}+$/u.test(spoken(one)))));

/** Whether a string or template has words, be it in the choices that it is made of. */
const hasWords = (node: Node): boolean =>
  hasLetters(wordsOf(node)) || Boolean(node.expressions?.some((one: Node) => choiceOf(one)));

/** A language of the interface. */
export interface Language {
  /** Its tag of BCP 47. */
  tag: string;
  translate: Translate;
  /** The strings that stand for values of the database, whose texts `app/ui/languages/known-text.ts` gives. */
  values: ReadonlySet<string>;
}

/**
 * Writes the texts of a source file in another language: what comes out is what someone would have written who
 * knows it, with no look-up left for the browser.
 *
 * The tag `en-GB` in it stands for the language of the interface, and is replaced.
 *
 * @param file its name, for the parser and for errors
 * @throws on a source that cannot be read, and on a translation with other places than the text has
 */
export function compile(source: string, file: string, { tag, translate, values }: Language): string {
  const { program, errors } = parseSync(file, source, { astType: 'ts' });
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const writer: Writer = {
    tag,
    translate,
    source: ({ start, end }) => source.slice(start, end),
    codeOf: (node) => replaced(node, editsIn(node, true)),
  };

  const tried = new Set<Node>();

  function replaced({ start, end }: { start: number; end: number }, edits: Edit[]): string {
    let [code, at] = ['', start];
    for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
      code += source.slice(at, edit.start) + edit.code;
      at = edit.end;
    }
    return code + source.slice(at, end);
  }

  /** The edit that says a string, a template or a choice of them in the other language. */
  function saidIn(node: Node, pieces: Piece[], wrap = (code: string) => code): Edit[] {
    const code = say(pieces, true, writer);
    if (code !== undefined) return [{ start: node.start, end: node.end, code: wrap(`\`${code}\``) }];
    return node.type === 'Literal' ? [] : [...childrenOf(node)].flatMap(([, child]) => editsIn(child, false));
  }

  /**
   * The edits of a node.
   *
   * @param isShown whether its value is read where it stands, as between tags
   */
  function editsIn(node: Node, isShown: boolean): Edit[] {
    const { type } = node;
    if (/^(Import|ExportAll|TaggedTemplate|TS(?!As|Satisfies|NonNull))/.test(type) || node.directive)
      return [];
    if (isString(node) && node.value === 'en-GB')
      return [{ start: node.start, end: node.end, code: `'${tag}'` }];
    if (type === 'JSXElement' || type === 'JSXFragment') return editsInElement(node);
    if (type === 'JSXAttribute') return editsInAttribute(node);
    if (isWritten(node)) {
      if (isString(node) && values.has(node.value)) return [];
      if (isShown ? hasWords(node) : readsAsText(spoken(node))) return saidIn(node, piecesOf(node));
      return type === 'Literal' ? [] : node.expressions.flatMap((one: Node) => editsIn(one, isShown));
    }
    const choice = choiceOf(node);
    // A choice without words that can be said, which comes back here as a part of itself, is looked at part by part.
    if (
      choice &&
      !tried.has(node) &&
      (isShown || (type === 'ConditionalExpression' && readsAsChoice(choice)))
    ) {
      tried.add(node);
      const edits = saidIn(node, [{ value: node }]);
      tried.delete(node);
      return edits;
    }
    return editsInParts(node, isShown);
  }

  function editsInElement(node: Node): Edit[] {
    const opening = node.openingElement ? editsIn(node.openingElement, false) : [];
    const [first, last] = [node.children[0], node.children.at(-1)];
    const code = hasText(node.children) ? say(piecesBetween(node.children), false, writer) : undefined;
    if (code !== undefined) return [...opening, { start: first.start, end: last.end, code }];
    return [...opening, ...node.children.flatMap((child: Node) => editsIn(child, true))];
  }

  function editsInAttribute({ name, value }: Node): Edit[] {
    if (!value) return [];
    if (isString(value) && value.value === 'en-GB')
      return [{ start: value.start, end: value.end, code: `"${tag}"` }];
    const isForReaders = FOR_READERS.test(name.name);
    if (FOR_PROGRAMS.has(name.name) || (/^(data|aria)-/.test(name.name) && !isForReaders)) {
      // Words in a call are looked at by what is called.
      return value.type === 'JSXExpressionContainer' &&
        !isWritten(value.expression) &&
        !choiceOf(value.expression)
        ? editsIn(value, false)
        : [];
    }
    if (!isString(value)) return editsIn(value, isForReaders);
    const words = decode(value.value);
    return isForReaders || readsAsText(words) ? saidIn(value, [{ words }], (code) => `{${code}}`) : [];
  }

  function editsInParts(node: Node, isShown: boolean): Edit[] {
    const { type } = node;
    const parts = [...childrenOf(node)];
    const some = (takes: (place: string, child: Node) => boolean, shown = false) =>
      parts.filter(([name, child]) => takes(name, child)).flatMap(([, child]) => editsIn(child, shown));
    // What is compared, or names a part of an object, is a value.
    if (type === 'BinaryExpression' && node.operator !== '+') return some((_, child) => !isWritten(child));
    if (type === 'SwitchCase') return some((name) => name === 'consequent');
    if (type === 'MemberExpression') {
      const isLookup = /^(includes|indexOf)$/.test(node.property.name);
      return some(
        (name, child) =>
          name === 'object' && !isWritten(child) && !(isLookup && child.type === 'ArrayExpression'),
      );
    }
    // What is said to be of a type is a value of it.
    if (type === 'TSAsExpression' && node.typeAnnotation.typeName?.name !== 'const')
      return some((_, child) => !isWritten(child), isShown);
    if (type === 'CallExpression' || type === 'NewExpression') {
      const { callee } = node;
      const called = callee.property?.name ?? callee.name;
      const isForNames =
        TAKES_NAMES.has(called) ||
        (type === 'NewExpression' && /^(Type|Range|Syntax)Error$/.test(called)) ||
        /^(console|Intl|process|headers)$/.test(callee.object?.name);
      return some(
        (_, child) => !isForNames || child.value === 'en-GB' || !(isWritten(child) || choiceOf(child)),
      );
    }
    if (type === 'Property' || type === 'PropertyDefinition') {
      const key = node.key.name ?? node.key.value;
      return some((name) => name === 'value' && key !== '@type', FOR_READERS.test(key));
    }
    const passes =
      isShown &&
      /^(JSXExpressionContainer|ConditionalExpression|LogicalExpression|TS\w+Expression)$/.test(type);
    return parts.flatMap(([name, child]) => editsIn(child, passes && name !== 'test' && name !== 'left'));
  }

  return replaced({ start: 0, end: source.length }, editsIn(program as unknown as Node, false));
}

interface Edit {
  start: number;
  end: number;
  code: string;
}
