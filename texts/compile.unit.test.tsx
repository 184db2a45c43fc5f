import { renderToStaticMarkup } from 'react-dom/server';
import { transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { pseudoText } from './pseudo.ts';
import type { Translate } from './sentence.ts';

type Catalogue = Record<string, string | string[]>;

const inPolish = (source: string, translate: Translate) =>
  compile(source, 'page.tsx', { tag: 'pl', values: new Set(['Walking']), translate });

const from =
  (catalogue: Catalogue): Translate =>
  ({ text }) =>
    catalogue[text] === undefined ? undefined : [catalogue[text]].flat();

/** The messages that a source has, and what has several forms as "one / several". */
function messagesIn(source: string): string[] {
  const asked: string[] = [];
  inPolish(source, ({ text, plural }) => {
    asked.push(plural === undefined ? text : `${text} / ${plural}`);
    return plural === undefined ? [text] : [text, plural];
  });
  return asked;
}

/** What an expression gives after it was written in Polish, with these values in it. */
async function resultOf(expression: string, catalogue: Catalogue, values: Record<string, unknown> = {}) {
  const source = inPolish(
    `export default (${Object.keys(values).join(', ')}) => (${expression});`,
    from(catalogue),
  );
  const { code } = await transformWithOxc(source, 'page.tsx', { jsx: { runtime: 'automatic' } });
  const module = await import(`data:text/javascript,${encodeURIComponent(importingReact(code))}`);
  return module.default(...Object.values(values));
}
const importingReact = (code: string) =>
  code.replace(/"(react\/[\w-]+)"/g, (_, name) => `"${import.meta.resolve(name)}"`);

const markupOf = async (...given: Parameters<typeof resultOf>) =>
  renderToStaticMarkup(await resultOf(...given));

describe('a text between tags', () => {
  it('is one message with what is marked up in it, whose parts a translation can put elsewhere', async () => {
    const source = '<p>Shared by <b>Dr {name}</b>{" "}on {day}.</p>';
    expect(messagesIn(`const a = ${source}`)).toEqual(['Shared by <0>Dr {1}</0> on {2}.']);
    expect(
      await markupOf(
        source,
        { 'Shared by <0>Dr {1}</0> on {2}.': '{2}: <0>dr {1}</0> & inni' },
        { name: 'Ada', day: '3 Nov' },
      ),
    ).toBe('<p>3 Nov: <b>dr Ada</b> &amp; inni</p>');
  });

  it('has no part of a sign in front of it', async () => {
    const source = '<p>{isNew && <i />} Save</p>';
    expect(messagesIn(`const a = ${source}`)).toEqual(['Save']);
    expect(await markupOf(source, { Save: 'Zapisz' }, { isNew: true })).toBe('<p><i></i> Zapisz</p>');
  });

  it('is said in a whole sentence for each of two cases', async () => {
    const source = '<p>Only {isAuthor ? "you" : "the author"} can see this.</p>';
    const catalogue = {
      'Only you can see this.': 'Tylko ty.',
      'Only the author can see this.': 'Tylko autor.',
    };
    expect(messagesIn(`const a = ${source}`)).toEqual(Object.keys(catalogue));
    expect(await markupOf(source, catalogue, { isAuthor: false })).toBe('<p>Tylko autor.</p>');
  });
});

it('a template of nothing but choices is said in whole sentences too', () => {
  const source = `const a = <p title={\`\${isNew ? "New: " : ""}\${subject}, \${isOwn ? "to" : "from"} \${name}\`} />`;
  expect(messagesIn(source)).toEqual([
    'New: {0}, to {1}',
    'New: {0}, from {1}',
    '{0}, to {1}',
    '{0}, from {1}',
  ]);
});

describe('a text of a number', () => {
  const catalogue = {
    '{0} reply by {1}': ['{0} odpowiedź: {1}', '{0} odpowiedzi: {1}', '{0} odpowiedzi, {1}', '?'],
  };

  it('is one message of one and of several, with a text for each form of the other language', async () => {
    const text = `\`\${count} \${count === 1 ? 'reply' : 'replies'} by \${name}\``;
    expect(messagesIn(`const a = ${text}`)).toEqual(['{0} reply by {1} / {0} replies by {1}']);
    const said = (count: number) => resultOf(text, catalogue, { count, name: 'Ada' });
    expect([await said(1), await said(3), await said(5)]).toEqual([
      '1 odpowiedź: Ada',
      '3 odpowiedzi: Ada',
      '5 odpowiedzi, Ada',
    ]);
  });

  it('is so between tags too', async () => {
    const source = '<p>{count} {count === 1 ? "reply" : "replies"} by <b>{name}</b></p>';
    const marked = { '{0} reply by {1}': ['{0}, {1}', '{1}: {0}', '?', '?'] };
    expect(await markupOf(source, marked, { count: 3, name: 'Ada' })).toBe('<p><b>Ada</b>: 3</p>');
  });
});

describe('what is for programs', () => {
  it.each([
    ['a class', '<p className="flex items-center Save" />'],
    ['an anchor', '<section id="replies" aria-labelledby="replies" />'],
    ['what is compared', "status === 'Approved here'"],
    ['columns', "db.from('x').select('id, title, author:profiles(name)')"],
    ['an address', '"/solutions/" + id'],
    ['a class of a choice', '<p className={wide ? "Grid wide" : "Grid narrow"} />'],
    ['a value of the database', "['Walking']"],
    ['an import', "import('./Save it.ts')"],
    ['an error of a program', "new TypeError('No such thing')"],
  ])('is not a text: %s', (_, source) => {
    expect(messagesIn(`const a = ${source}`)).toEqual([]);
  });

  it('is a text where readers read it: an attribute, a label, a sentence', () => {
    expect(messagesIn('const a = <Input aria-label="replies" placeholder="Search …" />')).toEqual([
      'replies',
      'Search …',
    ]);
    expect(messagesIn("const a = { label: 'optional', text: 'Please sign in.' }")).toEqual([
      'optional',
      'Please sign in.',
    ]);
  });
});

it('a text that no one has translated stays as it is, and so does the rest of the file', () => {
  const source = 'const a = <p className="x">Save {name}</p>; // Save\n';
  expect(inPolish(source, from({}))).toBe(source);
});

it('the tag of the interface’s language is replaced', () => {
  expect(inPolish("number.toLocaleString('en-GB')", from({}))).toBe("number.toLocaleString('pl')");
});

it.each([
  ['leaves out a value', 'Zapisano', 'leaves out'],
  ['has a value too many', 'Zapisano {0} {1}', 'does not have'],
  ['does not close its markup', 'Zapisano {0} <0>', 'does not have'],
])('a translation that %s is refused, with its text', (_, translation, why) => {
  expect(() => inPolish('const a = <p>Saved {day}</p>;', from({ 'Saved {0}': translation }))).toThrow(
    new RegExp(`${translation.replace(/[{}<>]/g, '.')}.*${why}`),
  );
});

it('the language that no one speaks changes every word and no place', () => {
  const text = pseudoText('Shared by <0>{1}</0> on {2}');
  expect(text.match(/[<{]\/?\d[}>]/g)).toEqual(['<0>', '{1}', '</0>', '{2}']);
  expect(text).not.toMatch(/(^| )(Shared|by|on)( |$)/);
});
