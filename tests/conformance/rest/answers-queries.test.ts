import { afterAll, beforeAll, describe } from 'vitest';
import { type Answer, compareAnswers, refusal } from './answers.ts';
import { openSampleDatabase, type SampleDatabase } from './sample-schema.ts';

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
`;

let library: SampleDatabase;
beforeAll(async () => {
  library = await openSampleDatabase(SCHEMA);
});
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
  found('an empty list', 'id=in.()'),
  found('a list of one empty text', 'plain=in.("")'),
  found('no empty list', 'id=not.in.()', 1, 2),
  found('spaces around a list', 'id=in. ( 1,2 )', 1, 2),
  found('quotes in a list', 'plain=in.("walking again","x")', 1),
  found('what stands behind a list', 'id=in.(1)2', 1),
  found('a key with a dot', 'data->>"a.b"=eq.2', 2),
  found('keys with marks of the grammar', 'data->"a,b"->"(c)"->>1=eq.2', 1),
  found('a key with other marks', 'data->!@%23$%^%26*_d->>x-y=eq.3', 2),
  found('keys in a tree', 'or=(data->>"a.b".eq.1,data->"a,b"->"(c)"->>0.eq.9)', 1),
  {
    name: 'a key with a dot is selected under its name',
    request: '/texts?select=data->"a.b"&id=eq.1',
    status: 200,
    answer: [{ 'a.b': 1 }],
  },
  { name: 'and orders', request: '/texts?select=id&order=data->>"a.b".desc', status: 200, answer: ids(2, 1) },
  found('no value in any case', 'plain=is.NULL'),
  found('a value in any case', 'plain=is.Not_Null', 1, 2),
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
  {
    name: 'a step into what is text already',
    request: '/texts?select=data->>t->1',
    status: 404,
    answer: refusal(
      '42883',
      'operator does not exist: text -> integer',
      null,
      'No operator matches the given name and argument types. You might need to add explicit type casts.',
    ),
  },
  {
    name: 'a step by name into what is text already',
    request: '/texts?select=data->>t->b',
    status: 404,
    answer: refusal(
      '42883',
      'operator does not exist: text -> unknown',
      null,
      'No operator matches the given name and argument types. You might need to add explicit type casts.',
    ),
  },
  {
    name: 'an empty text where a number should be',
    request: '/texts?id=in.( ,3)',
    status: 400,
    answer: refusal('22P02', 'invalid input syntax for type integer: ""'),
  },
  {
    name: 'a type that is not there',
    request: '/texts?select=id::nothing',
    status: 400,
    answer: refusal('42704', 'type "nothing" does not exist'),
  },
  {
    name: 'a column that is not there',
    request: '/texts?select=id,nothing',
    status: 400,
    answer: refusal('42703', 'column texts.nothing does not exist'),
  },
  {
    name: 'aggregates',
    request: '/texts?select=id.sum()',
    status: 400,
    answer: refusal('PGRST123', 'Use of aggregate functions is not allowed'),
  },
  {
    name: 'a filter on what is not embedded',
    request: '/texts?select=id&jobs.id=eq.1',
    status: 400,
    answer: refusal(
      'PGRST108',
      "'jobs' is not an embedded resource in this request",
      null,
      "Verify that 'jobs' is included in the 'select' query parameter.",
    ),
  },
];

describe('filters', () => compareAnswers(() => library, filters));
describe('what cannot be read', () => compareAnswers(() => library, syntax));
