import { afterAll, describe } from 'vitest';
import { type Answer, compareAnswers, gives, refusal, refuses } from './answers.ts';
import { openSampleDatabase } from './sample-schema.ts';

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
create table public.designers (id int primary key, name text);
create table public.games (id int primary key, name text, designer_id int references public.designers (id), facts jsonb);
insert into public.designers values (1, 'Sid'), (2, 'Hiro'), (3, null);
insert into public.games values (1, 'Civ', 1, '{"rank": 2}'), (2, 'Civ II', 1, '{"rank": 10}'), (3, 'Fantasy', 2, null), (4, 'Lost', null, null), (5, 'Odd', 3, null);
create function public.maker(public.games) returns setof public.designers rows 1 language sql stable
  begin atomic select * from public.designers where id = $1.designer_id; end;
create function public.maker_alone(public.games) returns public.designers language sql stable
  begin atomic select * from public.designers where id = $1.designer_id; end;
create function public.works(public.designers) returns setof public.games language sql stable
  begin atomic select * from public.games where designer_id = $1.id; end;
create function public.quux() returns int language sql stable return 1;
create function public.gamed() returns int language sql stable return 1;
create function public.all_games() returns setof public.games language sql stable
  begin atomic select * from public.games where id < 4; end;
create table public.firsts (id int primary key, name text);
create table public.seconds (id int primary key references public.firsts (id), other int unique references public.firsts (id));
insert into public.firsts values (1, 'first');
insert into public.seconds values (1, null);
create function public.firsts(public.seconds) returns setof public.firsts rows 1 language sql stable
  begin atomic select * from public.firsts where false; end;
create table public.brands (name text primary key);
create table public.models (name text, year int, brand text references public.brands (name), primary key (name, year)) partition by list (year);
create table public.models_1981 partition of public.models for values in (1981);
create table public.models_rest partition of public.models default;
create table public.sales (
  day date, model text, year int, foreign key (model, year) references public.models (name, year), primary key (day, model, year)
) partition by range (day);
create table public.sales_2021 partition of public.sales for values from ('2021-01-01') to ('2022-01-01');
insert into public.brands values ('DMC'), ('Ferrari');
insert into public.models values ('DeLorean', 1981, 'DMC'), ('Roma', 2021, null);
insert into public.sales values ('2021-01-14', 'DeLorean', 1981);
create view public.game_counts as select designer_id, count(*) as games from public.games group by designer_id;
create view public.busy_designers as
  select d.id, d.name, (select count(*) from public.games g where g.designer_id = d.id) as number, d.id in (select designer_id from public.games) as busy
  from public.designers d where exists (select from public.games g where g.designer_id = d.id);
create view public.old_games as with chosen as (select * from public.games where id < 3) select c.id as number, c.name as title, c.designer_id as by from chosen c;
create view public.older_games as select number, by as maker_id from public.old_games;
create materialized view public.kept_games as select id, designer_id from public.games;
create view public.game_pairs as select * from (select g.id as game, g.designer_id, d.name from public.games g left join public.designers d on d.id = g.designer_id) as both_of_them;
create table public."مورد" ("هویت" int);
`;

const library = await openSampleDatabase(SCHEMA);
afterAll(() => library.stop());

const ids = (...list: number[]) => list.map((id) => ({ id }));

const spreads: Answer[] = [
  gives('an empty spread of many repeats nothing', '/sites?select=id,...jobs()&order=id', ids(1, 2, 3)),
  gives(
    'a spread of many gives a list for each column',
    '/sites?select=id,...jobs(projects:project_id)&order=id&jobs.order=project_id.desc',
    [
      { id: 1, projects: [2, 1] },
      { id: 2, projects: [3] },
      { id: 3, projects: [] },
    ],
  ),
  gives('parents without any', '/sites?select=id,...jobs()&jobs=is.null', ids(3)),
  gives(
    'parents with some, counted',
    '/sites?select=id,...jobs(projects:project_id)&jobs=not.is.null&order=id',
    [
      { id: 1, projects: [1, 2] },
      { id: 2, projects: [3] },
    ],
    { headers: { prefer: 'count=exact' }, answerHeaders: { 'content-range': '0-1/2' } },
  ),
  gives('an inner spread of many', '/sites?select=id,...jobs!inner()&order=id', ids(1, 2)),
  gives(
    'spreads within a spread of many, and a surplus parenthesis',
    '/sites?select=id,...jobs(...projects(names:name,...sites!main_project(here:id))))&order=id&jobs.order=project_id',
    [
      { id: 1, names: ['one', 'two'], here: [[1], [3]] },
      { id: 2, names: ['three'], here: [[]] },
      { id: 3, names: [], here: [] },
    ],
  ),
  gives(
    'a spread of nothing but empty embeds',
    '/sites?select=id,...jobs(projects())&order=id',
    ids(1, 2, 3),
  ),
  gives(
    'an embed is meant rather than the column of the same name',
    '/sites?select=id,main_project(name)&main_project=is.null',
    [{ id: 2, main_project: null }],
  ),
  gives('but the column with any other operator', '/sites?select=id,main_project(name)&main_project=eq.2', [
    { id: 3, main_project: { name: 'two' } },
  ]),
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
  gives(
    'a key and a column, as hints or in the place of the table',
    '/books?select=id,publishers!publisher_id(name),now:publisher_id(name),first:books_first_publisher_id_fkey(name)&id=eq.1',
    [{ id: 1, publishers: { name: 'Faber' }, now: { name: 'Faber' }, first: { name: 'Viking' } }],
  ),
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
  gives('the junction as a hint', '/sites?select=id,projects!jobs(name)&id=eq.2', [
    { id: 2, projects: [{ name: 'three' }] },
  ]),
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
  gives('those above, by their column', '/people?select=name,manager(name)&id=eq.2', [
    { name: 'Bob', manager: { name: 'Ann' } },
  ]),
  gives(
    'those below, by the table or with the column as a hint',
    '/people?select=name,all:people(name),some:people!manager(name)&id=eq.1',
    [{ name: 'Ann', all: [{ name: 'Bob' }], some: [{ name: 'Bob' }] }],
  ),
  refuses(
    'a constraint is no hint within one table',
    '/people?select=name,people!has_manager(name)',
    400,
    'PGRST200',
    "Could not find a relationship between 'people' and 'people' in the schema cache",
    "Searched for a foreign key relationship between 'people' and 'people' using the hint 'has_manager' in the schema 'public', but no matches were found.",
  ),
  {
    name: 'nor is a junction',
    request: '/people?select=name,people!befriended(name)',
    status: 400,
  },
  gives(
    'but a junction can be walked',
    '/people?select=name,befriended!first_friend(...people!second_friend(name))&id=eq.1',
    [{ name: 'Ann', befriended: [] }],
  ),
  refuses(
    'a table that is not there',
    '/projets',
    404,
    'PGRST205',
    "Could not find the table 'public.projets' in the schema cache",
    null,
    "Perhaps you meant the table 'public.projects'",
  ),
  refuses(
    'a path that is not there',
    '/projects/1',
    404,
    'PGRST125',
    'Invalid path specified in request URL',
  ),
];

const lists: Answer[] = [
  gives(
    'of one, with a spread of one within',
    '/books?select=id,...authors(author:name,...mentor_id(mentor:name))&order=id&id=lte.2',
    [
      { id: 1, author: 'Ada Ames', mentor: null },
      { id: 2, author: 'Ben Bly', mentor: 'Ada Ames' },
    ],
  ),
  gives(
    'in the order of what is not selected',
    '/designers?select=id,...games(games:name,facts)&order=id&games.order=facts->rank.desc.nullslast&limit=1',
    [{ id: 1, games: ['Civ II', 'Civ'], facts: [{ rank: 10 }, { rank: 2 }] }],
  ),
  gives(
    'with a spread of one within, where there may be none',
    '/designers?select=id,...games(game:id,...maker(by:name))&order=id&games.order=id',
    [
      { id: 1, game: [1, 2], by: ['Sid', 'Sid'] },
      { id: 2, game: [3], by: ['Hiro'] },
      { id: 3, game: [5], by: [null] },
    ],
  ),
  gives('with an embed of one within', '/designers?select=id,...games(maker(name))&id=lt.3&order=id', [
    { id: 1, maker: [{ name: 'Sid' }, { name: 'Sid' }] },
    { id: 2, maker: [{ name: 'Hiro' }] },
  ]),
  gives(
    'with an embed of many within',
    '/sites?select=id,...projects!jobs(all:name,sites!jobs(id))&order=id&projects.order=id',
    [
      { id: 1, all: ['one', 'two'], sites: [ids(1), ids(1)] },
      { id: 2, all: ['three'], sites: [ids(2)] },
      { id: 3, all: [], sites: [] },
    ],
  ),
  gives(
    'with a spread of many within',
    '/sites?select=id,...projects!jobs(...jobs(of:site_id))&order=id&projects.order=id',
    [
      { id: 1, of: [[1], [1]] },
      { id: 2, of: [[2]] },
      { id: 3, of: [] },
    ],
  ),
  gives('of what a filter leaves', '/designers?select=id,...games(games:name)&games.name=like.*I*&order=id', [
    { id: 1, games: ['Civ II'] },
    { id: 2, games: [] },
    { id: 3, games: [] },
  ]),
  gives(
    'in the order of a column of the one within',
    '/sites?select=id,...jobs(project:project_id,...projects(called:name))&jobs.order=projects(name).desc&id=lt.3&order=id',
    [
      { id: 1, project: [2, 1], called: ['two', 'one'] },
      { id: 2, project: [3], called: ['three'] },
    ],
  ),
  gives('every column', '/sites?select=id,...jobs(*)&id=neq.1&order=id', [
    { id: 2, site_id: [2], project_id: [3] },
    { id: 3, site_id: [], project_id: [] },
  ]),
  gives(
    'within an embed of many',
    '/projects?select=id,sites!main_project(id,...jobs(project_id))&id=lt.2&sites.jobs.order=project_id',
    [{ id: 1, sites: [{ id: 1, project_id: [1, 2] }] }],
  ),
];

const EXACT = { prefer: 'count=exact' };
const computed: Answer[] = [
  gives(
    'to one, by a set of one row or by a row',
    '/games?select=name,one:maker(name),two:maker_alone(name)&id=in.(1,3)&order=id',
    [
      { name: 'Civ', one: { name: 'Sid' }, two: { name: 'Sid' } },
      { name: 'Fantasy', one: { name: 'Hiro' }, two: { name: 'Hiro' } },
    ],
  ),
  gives('to many', '/designers?select=name,works(name)&order=id&limit=2&works.order=id.desc', [
    { name: 'Sid', works: [{ name: 'Civ II' }, { name: 'Civ' }] },
    { name: 'Hiro', works: [{ name: 'Fantasy' }] },
  ]),
  gives(
    'inner and counted',
    '/games?select=name,maker!inner(name)&maker.name=like.H*',
    [{ name: 'Fantasy', maker: { name: 'Hiro' } }],
    { headers: EXACT, answerHeaders: { 'content-range': '0-0/1' } },
  ),
  gives('spread', '/games?select=name,...maker(by:name)&id=eq.3', [{ name: 'Fantasy', by: 'Hiro' }]),
  gives(
    'of what a function returns',
    '/rpc/all_games?select=name,maker(name)&order=maker(name),name.desc&limit=2',
    [
      { name: 'Fantasy', maker: { name: 'Hiro' } },
      { name: 'Civ II', maker: { name: 'Sid' } },
    ],
  ),
  {
    name: 'of a new row',
    request: 'POST /games?select=name,maker(name)',
    headers: { prefer: 'return=representation' },
    body: { id: 9, name: 'Trigger', designer_id: 2 },
    status: 201,
    answer: [{ name: 'Trigger', maker: { name: 'Hiro' } }],
  },
  gives(
    'of a removed row',
    'DELETE /games?select=name,maker(name)&id=eq.9',
    [{ name: 'Trigger', maker: { name: 'Hiro' } }],
    { headers: { prefer: 'return=representation' } },
  ),
  gives('in place of the one that a key makes', '/seconds?select=id,firsts(name)', [{ id: 1, firsts: null }]),
  gives('below another embed', '/designers?select=name,games(name,maker(name))&id=eq.2', [
    { name: 'Hiro', games: [{ name: 'Fantasy', maker: { name: 'Hiro' } }] },
  ]),
];

const related: Answer[] = [
  {
    name: 'a filter on the value of an embed',
    request: '/games?select=designers(id)&designers=eq.1',
    status: 400,
  },
  gives(
    'an order by a column of the one',
    '/games?select=id,designers(name)&order=designers(name).nullsfirst,id.desc&id=neq.5',
    [
      { id: 4, designers: null },
      { id: 3, designers: { name: 'Hiro' } },
      { id: 2, designers: { name: 'Sid' } },
      { id: 1, designers: { name: 'Sid' } },
    ],
  ),
  gives(
    'an order by a key of a document, under another name',
    '/designers?select=id,made:games(id,by:designers(id))&id=eq.1&made.order=facts->rank.desc',
    [
      {
        id: 1,
        made: [
          { id: 2, by: { id: 1 } },
          { id: 1, by: { id: 1 } },
        ],
      },
    ],
  ),
  refuses(
    'an order by many',
    '/designers?select=*,all:games(*)&order=all(id)',
    400,
    'PGRST118',
    "A related order on 'all' is not possible",
    "'designers' and 'all' do not form a many-to-one or one-to-one relationship",
  ),
  refuses(
    'an order by what is not embedded',
    '/games?select=id,designers(name)&order=designer(name)',
    400,
    'PGRST108',
    "'designer' is not an embedded resource in this request",
    null,
    "Verify that 'designer' is included in the 'select' query parameter.",
  ),
  refuses(
    'a filter on what is not embedded',
    '/games?select=id&designers.name=eq.Sid',
    400,
    'PGRST108',
    "'designers' is not an embedded resource in this request",
    null,
    "Verify that 'designers' is included in the 'select' query parameter.",
  ),
  gives(
    'a row whose columns are all null is a row',
    '/games?select=id,designers(name)&designers=not.is.null&id=gte.4',
    [{ id: 5, designers: { name: null } }],
    { headers: EXACT, answerHeaders: { 'content-range': '0-0/1' } },
  ),
  gives(
    'either of two embeds',
    '/games?select=id,designers(),maker()&designers.name=eq.Sid&maker.name=eq.Hiro&or=(designers.not.is.null,maker.not.is.null)&order=id',
    ids(1, 2, 3),
    { headers: EXACT, answerHeaders: { 'content-range': '0-2/3' } },
  ),
  gives(
    'those without an embed under another name',
    '/designers?select=id,made:games()&made.id=gt.2&made=is.null&order=id',
    ids(1),
  ),
  gives(
    'inner embeds within an outer one',
    '/games?select=id,designers(name,games!inner(id))&designers.games.id=eq.3&id=in.(1,3)&order=id',
    [
      { id: 1, designers: null },
      { id: 3, designers: { name: 'Hiro', games: [{ id: 3 }] } },
    ],
  ),
  {
    name: 'inner embeds within an inner one, head and count alone',
    request: 'HEAD /games?select=id,designers!inner(name,games!inner(id))&designers.games.id=eq.2',
    headers: EXACT,
    status: 200,
    answerHeaders: { 'content-range': '0-1/2', 'content-type': 'application/json; charset=utf-8' },
    text: '',
  },
  {
    name: 'names in another script',
    request: 'POST /%D9%85%D9%88%D8%B1%D8%AF?select=%D9%87%D9%88%DB%8C%D8%AA',
    headers: { prefer: 'return=representation' },
    body: { هویت: 1 },
    status: 201,
    answer: [{ هویت: 1 }],
  },
  {
    name: 'and filters on them',
    request: 'DELETE /%D9%85%D9%88%D8%B1%D8%AF?%D9%87%D9%88%DB%8C%D8%AA=gt.0',
    headers: EXACT,
    status: 204,
    answerHeaders: { 'content-range': '*/1' },
  },
];

const noWay = (from: string, to: string, instead?: string) =>
  refusal(
    'PGRST200',
    `Could not find a relationship between '${from}' and '${to}' in the schema cache`,
    `Searched for a foreign key relationship between '${from}' and '${to}' in the schema 'public', but no matches were found.`,
    instead ? `Perhaps you meant '${instead}' instead of '${to}'.` : null,
  );
const views: Answer[] = [
  gives('a partitioned table and what it points to', '/models?select=name,brands(name)&order=name', [
    { name: 'DeLorean', brands: { name: 'DMC' } },
    { name: 'Roma', brands: null },
  ]),
  gives(
    'what points to a partitioned table',
    '/brands?select=name,models(name,sales(day))&order=name&limit=1',
    [{ name: 'DMC', models: [{ name: 'DeLorean', sales: [{ day: '2021-01-14' }] }] }],
  ),
  gives('two partitioned tables', '/sales?select=day,models(name,year)', [
    { day: '2021-01-14', models: { name: 'DeLorean', year: 1981 } },
  ]),
  {
    name: 'no partition below',
    request: '/models?select=sales_2021(*)',
    status: 400,
    answer: noWay('models', 'sales_2021', 'sales'),
  },
  {
    name: 'no partition of another table',
    request: '/sales?select=models_rest(*)',
    status: 400,
    answer: noWay('sales', 'models_rest', 'models'),
  },
  refuses(
    'a partition itself',
    '/sales_2021?select=models(*)',
    404,
    'PGRST205',
    "Could not find the table 'public.sales_2021' in the schema cache",
  ),
  gives(
    'a view that groups',
    '/game_counts?select=games,designers(name)&order=games.desc,designers(name)&limit=2',
    [
      { games: 2, designers: { name: 'Sid' } },
      { games: 1, designers: { name: 'Hiro' } },
    ],
  ),
  gives('a view with selections within', '/busy_designers?select=name,number,busy,games(name)&id=eq.2', [
    { name: 'Hiro', number: 1, busy: true, games: [{ name: 'Fantasy' }] },
  ]),
  gives(
    'a view of a named selection, its columns renamed',
    '/old_games?select=title,designers(name)&number=eq.1',
    [{ title: 'Civ', designers: { name: 'Sid' } }],
  ),
  gives('a view of a view', '/older_games?select=number,designers(name)&number=eq.1', [
    { number: 1, designers: { name: 'Sid' } },
  ]),
  gives('two views', '/busy_designers?select=name,old_games(title)&id=eq.1&old_games.order=number', [
    { name: 'Sid', old_games: [{ title: 'Civ' }, { title: 'Civ II' }] },
  ]),
  gives('a materialized view', '/kept_games?select=id,designers(name)&id=eq.3', [
    { id: 3, designers: { name: 'Hiro' } },
  ]),
  gives('a view of a selection in its origin', '/game_pairs?select=game,designers(name)&game=eq.3', [
    { game: 3, designers: { name: 'Hiro' } },
  ]),
  {
    name: 'a view and what it does not show',
    request: '/titles?select=*,brands(*)',
    status: 404,
  },
  {
    name: 'tables that have nothing to do with each other',
    request: '/brands?select=name,designers(name)',
    status: 400,
    answer: noWay('brands', 'designers'),
  },
  gives(
    'an order and a filter by the name of the table behind another name',
    '/designers?select=id,made:games(id)&id=eq.1&games.order=id.desc&games.id=lt.3',
    [{ id: 1, made: [{ id: 2 }, { id: 1 }] }],
  ),
  gives(
    'the same table twice, each with its filter',
    '/designers?select=id,first:games(id),rest:games(id)&id=eq.1&first.id=eq.1&rest.id=neq.1',
    [{ id: 1, first: [{ id: 1 }], rest: [{ id: 2 }] }],
  ),
];

const hints: Answer[] = [
  {
    name: 'a name that shares three letters',
    request: '/games?select=desingers(*)',
    status: 400,
    answer: noWay('games', 'desingers', 'designers'),
  },
  {
    name: 'a name that shares no two letters with any',
    request: '/games?select=xdxsxgxexx(*)',
    status: 400,
    answer: noWay('games', 'xdxsxgxexx'),
  },
  {
    name: 'the name of one, in capitals',
    request: '/games?select=Designers(*)',
    status: 400,
    answer: noWay('games', 'Designers'),
  },
  {
    name: 'what a function gives that is no row',
    request: '/rpc/quux?select=games(*)',
    status: 400,
    answer: noWay('quux', 'games'),
  },
  {
    name: 'what a function gives whose name is like that of a table',
    request: '/rpc/gamed?select=designers(*)',
    status: 400,
    answer: { ...noWay('gamed', 'designers'), hint: "Perhaps you meant 'games' instead of 'gamed'." },
  },
];

describe('hints', () => compareAnswers(library, hints));
describe('partitions and views', () => compareAnswers(library, views));
describe('spreads and what is there', () => compareAnswers(library, spreads));
describe('spreads', () => compareAnswers(library, lists));
describe('ways from one table to another', () => compareAnswers(library, ways));
describe('computed relationships', () => compareAnswers(library, computed));
describe('conditions and orders across embeds', () => compareAnswers(library, related));
