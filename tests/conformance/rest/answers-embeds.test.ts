import { afterAll, beforeAll, describe } from 'vitest';
import { type Answer, compareAnswers, refusal } from './answers.ts';
import { openSampleDatabase, type SampleDatabase } from './sample-schema.ts';

const SCHEMA = `
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
    name: 'spreads within a spread of many, and a surplus parenthesis',
    request:
      '/sites?select=id,...jobs(...projects(names:name,...sites!main_project(here:id))))&order=id&jobs.order=project_id',
    status: 200,
    answer: [
      { id: 1, names: ['one', 'two'], here: [[1], [3]] },
      { id: 2, names: ['three'], here: [[]] },
      { id: 3, names: [], here: [] },
    ],
  },
  {
    name: 'embeds within a spread of many',
    request: '/sites?select=id,...jobs(projects(name))&id=lt.3&order=id&jobs.order=project_id',
    status: 200,
    answer: [
      { id: 1, projects: [{ name: 'one' }, { name: 'two' }] },
      { id: 2, projects: [{ name: 'three' }] },
    ],
  },
  {
    name: 'a spread of many by a column of the one',
    request: '/sites?select=id,...jobs(...projects(names:name))&id=eq.1&jobs.order=projects(name).desc',
    status: 200,
    answer: [{ id: 1, names: ['two', 'one'] }],
  },
  {
    name: 'a spread of nothing but empty embeds',
    request: '/sites?select=id,...jobs(projects())&order=id',
    status: 200,
    answer: ids(1, 2, 3),
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

describe('spreads and what is there', () => compareAnswers(() => library, spreads));
describe('ways from one table to another', () => compareAnswers(() => library, ways));
