import { afterAll, describe } from 'vitest';
import { type Answer, compareAnswers, gives, refusal, refuses } from './answers.ts';
import { openSampleDatabase } from './sample-schema.ts';

const SCHEMA = `
create domain public.words as text;
create domain public.long_words as public.words;
create domain public.lexemes as tsvector;
create table public.texts (
  id int primary key, plain text, short varchar(40), word public.words, long_word public.long_words,
  found public.lexemes, data jsonb, old_data json
);
insert into public.texts values
  (1, 'walking again', 'walking again', 'walking again', 'walking again', to_tsvector('english', 'walking again'),
    '{"a.b": 1, "a,b": {"(c)": [1, 2]}, "t": "walking"}', '{"t": "walking"}'),
  (2, 'sitting', 'sitting', 'sitting', 'sitting', to_tsvector('english', 'sitting'),
    '{"a.b": 2, "!@#$%^&*_d": {"x-y": 3}, "t": "sitting"}', '{"t": "sitting"}');
create type public.complex as (r float, i float);
create table public.parts (
  id int primary key, list jsonb, num public.complex, numbers int[], grid int[][], span int4range, done boolean, "with-dash" int,
  count int, t int, " a ,(b).c" text
);
insert into public.parts values
  (1, '[1, 2, 3]', (0.5, 0.5), '{1,2}', '{{1,2},{3,4}}', '[1,3]', true, 7, 1, 1, 'odd'),
  (2, '[[9, 8], {"a": [4, 5]}]', (0.6, 0.6), '{11,12}', '{{5,6},{7,8}}', '[3,6]', false, 8, 2, 2, null),
  (3, '{"c": [{"d": [4]}], "0x": {"1-2": "y"}}', null, null, null, null, null, null, null, null, null);
create function public.half(public.parts) returns numeric language sql stable return $1.id / 2.0;
`;

const library = await openSampleDatabase(SCHEMA);
afterAll(() => library.stop());

const ids = (...list: number[]) => list.map((id) => ({ id }));
const found = (name: string, query: string, ...list: number[]): Answer => ({
  name,
  request: `/texts?select=id&order=id&${query}`,
  status: 200,
  answer: ids(...list),
});
const unread = (name: string, query: string, what: string, column: number, details: string): Answer => ({
  name,
  request: `/texts?${query}`,
  status: 400,
  answer: refusal('PGRST100', `"failed to parse ${what}" (line 1, column ${column})`, details),
});

const filters: Answer[] = [
  found('a full text search of text', 'plain=fts(english).walk', 1),
  found('of limited text', 'short=plfts(english).walk', 1),
  found('of a domain', 'word=fts(english).walk', 1),
  found('of a domain of a domain', 'long_word=wfts(english).walk', 1),
  found('of a domain of lexemes', 'found=fts(english).walk', 1),
  found('of JSON', 'data=fts(english).walk', 1),
  found('of old JSON', 'old_data=fts(english).walk', 1),
  found('of a place in JSON', 'data->t=fts(english).walk', 1),
  found('of a place in JSON as text', 'data->>t=phfts(english).walk', 1),
  found('a surplus parenthesis behind a tree', 'and=(id.eq.1,id.lt.3))', 1),
  found('whitespace in a tree', 'and=( and ( id.in.( 1, 2, 3 ) , id.eq.2 ) , or ( id.eq.2 , id.eq.3 ) )', 2),
  found('a list of one empty text', 'plain=in.("")'),
  found('a quote without an end in a list', 'plain=in.(")'),
  found('two quotes without an end', 'plain=in.(",walking again)', 1),
  found('quotes with more text behind them', 'plain=in.("walking again" ,sitting)', 2),
  found('a quote without an end in a tree', 'or=(plain.eq.",plain.eq.sitting)', 2),
  found('no empty list', 'id=not.in.()', 1, 2),
  found('spaces around a list', 'id=in. ( 1,2 )', 1, 2),
  found('what stands behind a list', 'id=in.(1)2', 1),
  found('a key with a dot', 'data->>"a.b"=eq.2', 2),
  found('keys with marks of the grammar', 'data->"a,b"->"(c)"->>1=eq.2', 1),
  found('a key with other marks', 'data->!@%23$%^%26*_d->>x-y=eq.3', 2),
  found('keys in a tree', 'or=(data->>"a.b".eq.1,data->"a,b"->"(c)"->>0.eq.9)', 1),
  gives('a key with a dot is selected under its name', '/texts?select=data->"a.b"&id=eq.1', [{ 'a.b': 1 }]),
  gives('and orders', '/texts?select=id&order=data->>"a.b".desc', ids(2, 1)),
  found('no value in any case', 'plain=is.NULL'),
  found('a value in any case', 'plain=is.Not_Null', 1, 2),
];

const part = (name: string, query: string, ...list: number[]): Answer => ({
  name,
  request: `/parts?select=id&order=id&${query}`,
  status: 200,
  answer: ids(...list),
});
const shown = (name: string, id: number, select: string, row: Record<string, unknown>): Answer => ({
  name,
  request: `/parts?select=${select}&id=eq.${id}`,
  status: 200,
  answer: [row],
});

const paths: Answer[] = [
  shown('an index, named by its column', 1, 'list->>0::int', { list: 1 }),
  shown('an index from the end', 1, 'last:list->-1', { last: 3 }),
  shown('an index in an index', 2, 'list->0->>1', { list: '8' }),
  shown('a key behind an index', 2, 'list->1->a', { a: [4, 5] }),
  shown('an index behind a key, named by the key', 2, 'list->1->a->>1::int', { a: 5 }),
  shown('what is not there', 1, 'list->7->a', { a: null }),
  shown('only whole numbers are indexes', 3, 'list->0x->>1-2', { '1-2': 'y' }),
  shown('text read as JSON', 3, 'list->>c::json', { c: [{ d: [4] }] }),
  shown('a field of a row', 1, 'num->i,text:num->>r', { i: 0.5, text: '0.5' }),
  shown('an item of an array', 2, 'a:numbers->0,b:grid->1->>0', { a: 11, b: '7' }),
  shown('a computed column', 1, 'half,twice:half::text', { half: 0.5, twice: '0.50000000000000000000' }),
  shown('names that are also functions and aliases', 1, 'count,t,with-dash', {
    count: 1,
    t: 1,
    'with-dash': 7,
  }),
  shown('a quoted name, renamed', 1, '" a ,(b).c",x:" a ,(b).c"', { ' a ,(b).c': 'odd', x: 'odd' }),
  refuses(
    'a cast that fails',
    '/parts?select=list->1->>a::integer&id=eq.2',
    400,
    '22P02',
    'invalid input syntax for type integer: "[4, 5]"',
  ),
  part('a filter on an index from the end', 'list->>-1=eq.3', 1),
  part('a filter on a document', 'list->0=eq.[9,8]', 2),
  part('a filter on a field of a row', 'num->>i=gt.0.5', 2),
  part('a filter on an item', 'numbers->0=eq.1', 1),
  part('a filter on a computed column', 'half=gte.1', 2, 3),
  part('a filter on a quoted name', '" a ,(b).c"=eq.odd', 1),
  part('true', 'done=is.TRUE', 1),
  part('unknown', 'done=is.unknown', 3),
  part('a range that contains', 'span=cs.[1,2]', 1),
  part('a range that is contained', 'span=cd.[1,6]', 1, 2),
  part('a range that overlaps', 'span=ov.[0,2]', 1),
  part('a range that is distinct', 'span=isdistinct.[1,3]', 2, 3),
  part('a range that is not distinct', 'span=not.isdistinct.[1,3]', 1),
  part('an array that is greater', 'numbers=gt.{1,2}', 2),
  part('all of several', 'id=gt(all).{1,2}', 3),
  part('trees beside each other', 'not.or=(id.eq.1,id.eq.9)&and=(id.lt.3)', 2),
  part('a tree that is negated within', 'or=(not.and(id.gte.2,id.lte.3),id.eq.3)', 1, 3),
  part('quotes in a tree', 'or=(" a ,(b).c".eq."odd",id.in.("2","9"))', 1, 2),
  gives(
    'an order by an item and by a field',
    '/parts?select=id&order=num->i.desc.nullslast,numbers->0.asc',
    ids(2, 1, 3),
  ),
];

const syntax: Answer[] = [
  unread(
    'an operator that is none',
    'id=wat.1',
    'filter (wat.1)',
    1,
    'unexpected "w" expecting "not" or operator (eq, gt, ...)',
  ),
  unread(
    'a tree without conditions',
    'or=()',
    'logic tree (())',
    4,
    'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
  ),
  unread('a list without its parenthesis', 'id=in.1', 'filter (in.1)', 4, 'unexpected "1" expecting "("'),
  unread(
    'a list in a tree without its parenthesis',
    'or=(id.in.1,2,id.eq.3)',
    'logic tree ((id.in.1,2,id.eq.3))',
    10,
    'unexpected "1" expecting "("',
  ),
  unread(
    'two dashes before an index',
    'select=data->>--34',
    'select parameter (data->>--34)',
    9,
    'unexpected "-" expecting digit',
  ),
  unread(
    'a parenthesis in a key',
    'select=data->(x',
    'select parameter (data->(x)',
    7,
    'unexpected "(" expecting "-", digit or any non reserved character different from: .,>()',
  ),
  unread(
    'a mark behind a column',
    'select=id,plain[]',
    'select parameter (id,plain[])',
    9,
    'unexpected \'[\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
  ),
  unread(
    'a hint behind a column',
    'select=plain!hint',
    'select parameter (plain!hint)',
    6,
    'unexpected \'!\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
  ),
  unread(
    'a mark behind a star',
    'select=*!hint',
    'select parameter (*!hint)',
    2,
    'unexpected \'!\' expecting ")", "," or end of input',
  ),
  unread(
    'a type without a name',
    'select=plain::',
    'select parameter (plain::)',
    8,
    'unexpected end of input expecting letter or digit',
  ),
  unread(
    'a direction that is none',
    'order=id.ac',
    'order (id.ac)',
    4,
    'unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"',
  ),
  unread(
    'a direction with more to it',
    'order=id.descc',
    'order (id.descc)',
    8,
    'unexpected \'c\' expecting delimiter (.), "," or end of input',
  ),
  unread(
    'a place for nulls that is none',
    'order=id.asc.nlsfst',
    'order (id.asc.nlsfst)',
    8,
    'unexpected "l" expecting "nullsfirst" or "nullslast"',
  ),
  unread(
    'a place for nulls with more to it',
    'order=id.nullslasttt',
    'order (id.nullslasttt)',
    13,
    'unexpected \'t\' expecting "," or end of input',
  ),
  unread(
    'no column to order by',
    'order=',
    'order ()',
    1,
    'unexpected end of input expecting field name (* or [a..z0..9_$])',
  ),
  refuses(
    'a step into what is text already',
    '/texts?select=data->>t->1',
    404,
    '42883',
    'operator does not exist: text -> integer',
    null,
    'No operator matches the given name and argument types. You might need to add explicit type casts.',
  ),
  refuses(
    'an empty text where a number should be',
    '/texts?id=in.( ,3)',
    400,
    '22P02',
    'invalid input syntax for type integer: ""',
  ),
  refuses(
    'a type that is not there',
    '/texts?select=id::nothing',
    400,
    '42704',
    'type "nothing" does not exist',
  ),
  refuses(
    'a column that is not there',
    '/texts?select=id,nothing',
    400,
    '42703',
    'column texts.nothing does not exist',
  ),
];

describe('filters', () => compareAnswers(library, filters));
describe('paths and operators', () => compareAnswers(library, paths));
describe('what cannot be read', () => compareAnswers(library, syntax));
