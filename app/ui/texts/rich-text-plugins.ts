import { embedOf } from './links.ts';

/** The part of a Markdown tree that is changed here. */
interface Node {
  type: string;
  value?: string;
  url?: string;
  data?: object;
  children?: Node[];
}

/** The part of the Markdown parser's tokenizer that is changed here. */
type State = (code: number | null) => State | undefined;
interface Effects {
  check(construct: Construct, ok: State, nok: State): State;
  consume(code: number): void;
  enter(token: string): void;
  exit(token: string): void;
}
interface Construct {
  name?: string;
  partial?: boolean;
  tokenize(this: unknown, effects: Effects, ok: State, nok: State): State;
}
interface Extension {
  text?: Record<string, Construct | Construct[]>;
  disable?: { null: string[] };
}

/** Matches these letters at the present position, in upper or lower case. */
const begins = (letters: string): Construct => ({
  partial: true,
  tokenize(effects, ok, nok) {
    let index = 0;
    const inside: State = (code) => {
      if (code === null || code < 0 || String.fromCodePoint(code).toLowerCase() !== letters[index])
        return nok(code);
      effects.consume(code);
      if (++index < letters.length) return inside;
      effects.exit('data');
      return ok;
    };
    return (code) => {
      effects.enter('data');
      return inside(code);
    };
  },
});

/**
 * The parser's constructs for web addresses, tried only where one begins. At each word that begins with h or
 * w they would look back through all preceding text as far as a bracket left open, which for a long text of
 * short words is as good as quadratic.
 */
function addressesWhereTheyBegin(extensions: Extension[]): Extension {
  const text: Record<string, Construct[]> = {};
  for (const { text: constructs = {} } of extensions)
    for (const [code, added] of Object.entries(constructs))
      for (const construct of [added].flat()) {
        const letters = { protocolAutolink: 'http', wwwAutolink: 'www.' }[construct.name ?? ''];
        if (!letters) continue;
        text[code] = [
          {
            ...construct,
            name: `${construct.name}WhereItBegins`,
            tokenize(effects, ok, nok) {
              return effects.check(begins(letters), construct.tokenize.call(this, effects, ok, nok), nok);
            },
          },
        ];
      }
  return { text };
}

/**
 * Switches off the constructs that forum texts do not use, so that they stay as typed. Must stand after the
 * plugins that bring them. Email addresses are found in the finished tree, so the parser need not try each
 * word for one.
 */
export function proseOnly(this: { data(): object }): void {
  const data: { micromarkExtensions?: Extension[] } = this.data();
  const extensions = data.micromarkExtensions ?? [];
  const off = {
    disable: {
      null: [
        'headingAtx',
        'setextUnderline',
        'thematicBreak',
        'codeIndented',
        'definition',
        'htmlFlow',
        'htmlText',
        'labelStartImage',
        'table',
        'gfmFootnoteDefinition',
        'gfmFootnoteCall',
        'gfmPotentialFootnoteCall',
        'tasklistCheck',
        'emailAutolink',
        'protocolAutolink',
        'wwwAutolink',
      ],
    },
  };
  data.micromarkExtensions = [...extensions, addressesWhereTheyBegin(extensions), off];
}

const mention = /(?<![\p{L}\p{N}_@/.-])@([A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9])(?![A-Za-z0-9])/gu;

function mentionsIn(text: string, names: ReadonlySet<string>): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const { 0: typed, 1: name = '', index } of text.matchAll(mention)) {
    if (!names.has(name.toLowerCase())) continue;
    nodes.push({ type: 'text', value: text.slice(end, index) });
    nodes.push({ type: 'link', url: `/members/${name}`, children: [{ type: 'text', value: typed }] });
    end = index + typed.length;
  }
  return [...nodes, { type: 'text', value: text.slice(end) }];
}

/** Makes @name a link to the member, for the names given. */
export function linkMentions(names: readonly string[]) {
  const knownNames = new Set(names.map((name) => name.toLowerCase()));
  const within = (node: Node) => {
    node.children = node.children?.flatMap((child) => {
      if (child.type === 'text') return mentionsIn(child.value ?? '', knownNames);
      if (child.type !== 'link') within(child);
      return [child];
    });
  };
  return knownNames.size > 0 ? within : () => undefined;
}

const embedded = (href: string): Node => ({
  type: 'embed',
  data: { hName: 'figure', hProperties: { dataEmbed: href } },
  children: [],
});

const linksIn = (node: Node): string[] =>
  node.type === 'link' ? [node.url ?? ''] : (node.children ?? []).flatMap(linksIn);

/** A link alone on its line is replaced by its embed; one within a sentence stays, and the embed follows. */
function withEmbeds(paragraph: Node): Node[] {
  const lines: Node[][] = [[]];
  for (const child of paragraph.children ?? []) {
    if (child.type === 'break') lines.push([]);
    else lines.at(-1)?.push(child);
  }
  const blocks: Node[] = [];
  let text: Node[] = [];
  const embeddedUrls = new Set<string>();
  const flush = () => {
    if (text.length > 0) blocks.push({ ...paragraph, children: text });
    text = [];
  };
  for (const line of lines) {
    const links = line.flatMap(linksIn).filter((href) => embedOf(href));
    const content = line.filter(({ type, value }) => type !== 'text' || value?.trim());
    const alone = content.length === 1 && content[0]?.type === 'link' && links.length === 1;
    if (!alone) text = text.length > 0 ? [...text, { type: 'break' }, ...line] : line;
    if (links.length > 0) flush();
    for (const href of links) {
      if (!embeddedUrls.has(href)) blocks.push(embedded(href));
      embeddedUrls.add(href);
    }
  }
  flush();
  return blocks;
}

/** Embeds the videos and posts that links lead to; not in quotes, where they have been shown before. */
export function embedLinks() {
  const within = (node: Node) => {
    node.children = node.children?.flatMap((child) => {
      if (child.type === 'paragraph') return withEmbeds(child);
      if (child.type !== 'blockquote') within(child);
      return [child];
    });
  };
  return within;
}
