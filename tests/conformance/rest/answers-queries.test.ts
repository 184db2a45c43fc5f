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
create table public.sites (id int primary key, main_project int);
create table public.projects (id int primary key, name text);
alter table public.sites add constraint main_project foreign key (main_project) references public.projects (id);
create table public.jobs (
  site_id int references public.sites (id), project_id int references public.projects (id), primary key (site_id, project_id)
);
insert into public.projects values (1, 'one'), (2, 'two'), (3, 'three');
insert into public.sites values (1, 1), (2, null), (3, 2);
insert into public.jobs values (1, 1), (1, 2), (2, 3);
create table public.heads (id int primary key);
create table public.offices (id int primary key, head_id int references public.heads (id));
alter table public.heads add office_id int references public.offices (id);
create table public.pairs (a int, b int, primary key (a, b));
create table public.uses (id int primary key, a int, b int, constraint uses_pair foreign key (a, b) references public.pairs (a, b));
create view public.twice as select id, a as a1, a as a2, b from public.uses;
create table public.people (id int primary key, name text, manager int constraint has_manager references public.people (id));
insert into public.people values (1, 'Ann', null), (2, 'Bob', 1);
create table public.befriended (
  one int constraint first_friend references public.people (id), other int constraint second_friend references public.people (id),
  primary key (one, other)
);
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

const spreads: Answer[] = [
  {
    name: 'an empty spread of many repeats nothing',
    request: '/sites?select=id,...jobs()&order=id',
    status: 200,
    answer: ids(1, 2, 3),
  },
  {
    name: 'a spread of many gives a list for each column',
    request: '/sites?select=id,...jobs(projects:project_id)&order=id&jobs.order=project_id.desc',
    status: 200,
    answer: [
      { id: 1, projects: [2, 1] },
      { id: 2, projects: [3] },
      { id: 3, projects: [] },
    ],
  },
  {
    name: 'parents without any',
    request: '/sites?select=id,...jobs()&jobs=is.null',
    status: 200,
    answer: ids(3),
  },
  {
    name: 'parents with some, counted',
    request: '/sites?select=id,...jobs(projects:project_id)&jobs=not.is.null&order=id',
    headers: { prefer: 'count=exact' },
    status: 200,
    answerHeaders: { 'content-range': '0-1/2' },
    answer: [
      { id: 1, projects: [1, 2] },
      { id: 2, projects: [3] },
    ],
  },
  {
    name: 'an inner spread of many',
    request: '/sites?select=id,...jobs!inner()&order=id',
    status: 200,
    answer: ids(1, 2),
  },
  {
    name: 'an embed is meant rather than the column of the same name',
    request: '/sites?select=id,main_project(name)&main_project=is.null',
    status: 200,
    answer: [{ id: 2, main_project: null }],
  },
  {
    name: 'but the column with any other operator',
    request: '/sites?select=id,main_project(name)&main_project=eq.2',
    status: 200,
    answer: [{ id: 3, main_project: { name: 'two' } }],
  },
];

const ambiguous = (source: string, target: string, relationships: [string, string][], hints: string[]) =>
  refusal(
    'PGRST201',
    `Could not embed because more than one relationship was found for '${source}' and '${target}'`,
    relationships.map(([cardinality, relationship]) => ({
      cardinality,
      embedding: `${source} with ${target}`,
      relationship,
    })),
    `Try changing '${target}' to one of the following: ${hints.map((hint) => `'${target}!${hint}'`).join(', ')}. Find the desired relationship in the 'details' key.`,
  );

const ways: Answer[] = [
  {
    name: 'a key and a junction',
    request: '/sites?select=id,projects(name)',
    status: 300,
    answer: ambiguous(
      'sites',
      'projects',
      [
        ['many-to-one', 'main_project using sites(main_project) and projects(id)'],
        ['many-to-many', 'jobs using jobs_site_id_fkey(site_id) and jobs_project_id_fkey(project_id)'],
      ],
      ['main_project', 'jobs'],
    ),
  },
  {
    name: 'the junction as a hint',
    request: '/sites?select=id,projects!jobs(name)&id=eq.2',
    status: 200,
    answer: [{ id: 2, projects: [{ name: 'three' }] }],
  },
  {
    name: 'a circle of keys',
    request: '/heads?select=id,offices(id)',
    status: 300,
    answer: ambiguous(
      'heads',
      'offices',
      [
        ['one-to-many', 'offices_head_id_fkey using heads(id) and offices(head_id)'],
        ['many-to-one', 'heads_office_id_fkey using heads(office_id) and offices(id)'],
      ],
      ['offices_head_id_fkey', 'heads_office_id_fkey'],
    ),
  },
  {
    name: 'a view that shows a column twice',
    request: '/twice?select=id,pairs(a)',
    status: 300,
    answer: ambiguous(
      'twice',
      'pairs',
      [
        ['many-to-one', 'uses_pair using twice(a1, b) and pairs(a, b)'],
        ['many-to-one', 'uses_pair using twice(a2, b) and pairs(a, b)'],
      ],
      ['uses_pair', 'uses_pair'],
    ),
  },
  {
    name: 'those above, by their column',
    request: '/people?select=name,manager(name)&id=eq.2',
    status: 200,
    answer: [{ name: 'Bob', manager: { name: 'Ann' } }],
  },
  {
    name: 'those below, by the table or with the column as a hint',
    request: '/people?select=name,all:people(name),some:people!manager(name)&id=eq.1',
    status: 200,
    answer: [{ name: 'Ann', all: [{ name: 'Bob' }], some: [{ name: 'Bob' }] }],
  },
  {
    name: 'a constraint is no hint within one table',
    request: '/people?select=name,people!has_manager(name)',
    status: 400,
    answer: refusal(
      'PGRST200',
      "Could not find a relationship between 'people' and 'people' in the schema cache",
      "Searched for a foreign key relationship between 'people' and 'people' using the hint 'has_manager' in the schema 'public', but no matches were found.",
    ),
  },
  {
    name: 'nor is a junction',
    request: '/people?select=name,people!befriended(name)',
    status: 400,
  },
  {
    name: 'but a junction can be walked',
    request: '/people?select=name,befriended!first_friend(...people!second_friend(name))&id=eq.1',
    status: 200,
    answer: [{ name: 'Ann', befriended: [] }],
  },
  {
    name: 'a table that is not there',
    request: '/projets',
    status: 404,
    answer: refusal(
      'PGRST205',
      "Could not find the table 'public.projets' in the schema cache",
      null,
      "Perhaps you meant the table 'public.projects'",
    ),
  },
  {
    name: 'a path that is not there',
    request: '/projects/1',
    status: 404,
    answer: refusal('PGRST125', 'Invalid path specified in request URL'),
  },
];

describe('filters', () => compareAnswers(() => library, filters));
describe('what cannot be read', () => compareAnswers(() => library, syntax));
describe('spreads and what is there', () => compareAnswers(() => library, spreads));
describe('ways from one table to another', () => compareAnswers(() => library, ways));
