/** Parts of lines that are hard on a parser: markers, their pairs, and look-alikes of an address. */
export const UNITS = [
  // Lists and quotes, nested and side by side.
  ...['- ', '* ', '+ ', '1. ', '1) ', '- + * ', '> - ', '- > ', '>', '> ', '>\t', '-\t', '-      ', '>- 1. '],
  ...['- a\n', '- a\n\n', '- a\n+ a\n', '-\n', '- \n', '> a\n', '> a\n\n', '> ```\n', '- [ ] a\n', '> *a_\n'],
  `${'- '.repeat(10)}a\n`,
  `${'>'.repeat(10)}a\n`,
  `${'- '.repeat(100)}a\n`,
  `${'\t'.repeat(9)}- b\n`,
  // Emphasis.
  ...[
    '*',
    '_',
    '~',
    '~~',
    '*a',
    '_a',
    '~~a',
    'a*',
    'a~~b',
    'a**b',
    '**a',
    '*a_',
    '*a~~',
    '*a_ ',
    '* a',
    '*a*b',
  ],
  ...['*a* ', '**a** ', '~~a~~ ', '`a` ', '*a **b ', '**x*', '[*a](b)*', '*[_a](b)', '*a\n\n'],
  // Links and their beginnings.
  ...[
    '[',
    ']',
    '[]',
    '![',
    '![[',
    '[a](',
    '[a](<b',
    '[a](b ',
    '[a](b "',
    '[ (](',
    '[a][b]',
    '[\n',
    '[a] ',
    '*[a',
    '[a*',
  ],
  ...[
    '[a](b)',
    '[a](/b) ',
    '[a]: b\n',
    '[a]:b "',
    '[^',
    '[^a]',
    '[^a]: b\n',
    '*a[_`<>',
    '> *[a](`',
    '- [**_',
  ],
  // Code, HTML, tables, entities.
  ...[
    '`',
    '`a',
    '``a`',
    '`\n',
    '```\n',
    '~~~\n',
    '```a\n',
    '<',
    '<a ',
    '<a>',
    '<a b=',
    '</',
    '<!--',
    '<?',
    '<![CDATA[',
  ],
  ...[
    '<http:',
    '<a@b',
    '|a',
    '|-|\n',
    '&',
    '&amp;',
    '&#x',
    '&#1;',
    '\\',
    '\\*',
    'a\\\n',
    '# ',
    '---\n',
    'a\n===\n',
  ],
  // Addresses and names.
  ...[
    'http://',
    'http://a.b/',
    'https://a.b ',
    'www.',
    'www.a',
    'www.a.b ',
    'h',
    ' h',
    ' w',
    'a.',
    'a-',
    'a+',
    'a@',
  ],
  ...['a@b.c ', 'a@b-', 'mailto:', 'mailto:a@b.c ', 'xmpp:a@b', '@', '@ab ', '@abc.', '@author.one '],
  ...['https://youtu.be/dQw4w9WgXcQ\n', 'https://youtu.be/dQw4w9WgXcQ '],
  // Letters and the spaces between them.
  ...[
    'a',
    ' a',
    'é',
    'a\u0301',
    '\u0301',
    '👨‍👩‍👧',
    '\ud800',
    '\0',
    '\u0001',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    ' \n',
    'a\n',
    'a\n\n',
  ],
  ...['a  \n', '1', '0-', 'a,', '"', "'", '(', ')', ';', ':', '=', '%', '{', '}', '$'],
] as const;

const filled = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Each line one level deeper than the one before. */
function staircase(step: string, length: number): string {
  let text = '';
  for (let depth = 0; text.length < length; depth++) text += `${step.repeat(depth)}- a\n`;
  return text.slice(0, length);
}

/** Runs that grow, none of which another one closes. */
function growing(sign: string, length: number): string {
  let text = '';
  for (let count = 1; text.length < length; count++) text += `${sign.repeat(count)}a`;
  return text.slice(0, length);
}

/** A name and a text of this many UTF-16 units for each way known to be hard on a parser of Markdown or an expression. */
export function hostileTexts(length: number): [string, string][] {
  const half = Math.floor(length / 2) - 1;
  const texts: [string, string][] = UNITS.map((unit) => [
    `${JSON.stringify(unit)} again and again`,
    `${filled(unit, length - 1)}!`,
  ]);
  texts.push(
    ['one bracket, then words', `[${filled(' a', length - 1)}`],
    ['a bracket, then words that could begin an address', `[${filled(' h w', length - 1)}`],
    ...['[]', '()', '**', '__', '``', '<>', '(]'].map(([open = '', close = '']): [string, string] => [
      `${open} and as many ${close}`,
      `${open.repeat(half)}a${close.repeat(half)}`,
    ]),
    ...['a', 'a.', 'a-', '(', ')', ')!', '&amp;', '&a', '_', '*', '.', '/', '?', ']'].flatMap(
      (unit): [string, string][] => [
        [`an address of ${unit} and a letter`, `https://a.b/${filled(unit, length - 20)}x`],
        [`addresses of ${unit} and a letter`, filled(`https://a.b/${filled(unit, 980)}x `, length)],
        [`an address of ${unit}`, `https://a.b/${filled(unit, length - 20)}`],
        [`a host of ${unit}`, `www.${filled(unit, length - 4)}`],
        [`a link named ${unit}`, `[${filled(unit, length - 20)}](https://a.b)`],
        [`a mailbox of ${unit}`, `${filled(unit, length - 4)}@a.b`],
      ],
    ),
    ...['  ', '\t', '> ', ' '].map((step): [string, string] => [
      `stairs of ${JSON.stringify(step)}`,
      staircase(step, length),
    ]),
    ...['`', '*', '_', '~'].map((sign): [string, string] => [
      `growing runs of ${sign}`,
      growing(sign, length),
    ]),
    ['lists nested, then blank lines', `${'- '.repeat(10)}a${filled('\n', length - 21)}`],
    [
      'lists nested, then lines within them',
      `${'- '.repeat(10)}a${filled(`\n${' '.repeat(20)}b`, length - 21)}`,
    ],
    ['quotes nested, then lines that belong to them', `${'> '.repeat(10)}a${filled('\nb', length - 21)}`],
    ['a wide table', `${'|a'.repeat(half / 4)}\n${'|-'.repeat(half / 4)}\n${filled('|a', half)}`],
  );
  return texts;
}
