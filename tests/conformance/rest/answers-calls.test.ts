import { afterAll, describe } from 'vitest';
import { type Answer, compareAnswers, gives, refusal, refuses } from './answers.ts';
import { openSampleDatabase } from './sample-schema.ts';

const SCHEMA = `
create function public.took_text(text) returns text language sql immutable return 'text ' || $1;
create function public.took_json(json) returns text language sql immutable return 'json ' || $1::text;
create function public.took_jsonb(jsonb) returns text language sql immutable return 'jsonb ' || $1::text;
create function public.took_bytes(bytea) returns int language sql immutable return length($1);
create function public.took_number(int) returns int language sql immutable return $1;
create function public.either() returns int language sql immutable return 1;
create function public.either(text) returns text language sql immutable return $1;
create function public.maybe() returns int language sql immutable return 1;
create function public.maybe(text default 'none') returns text language sql immutable return $1;
create function public.both_json(json) returns json language sql immutable return $1;
create function public.both_json(jsonb) returns jsonb language sql immutable return $1;
create function public.varied(thing text, count int default 1) returns text language sql immutable return 'two';
create function public.varied(thing xml) returns text language sql immutable return 'xml';
create function public.varied(thing int) returns text language sql immutable return 'number';
create function public.spell(letters char, list char[]) returns text language sql immutable return letters || list[1];
create function public.bits(pattern bit, list bit[]) returns text language sql immutable return pattern::text || list[1]::text;
create function public.sum_of(a int, b int) returns int language sql immutable return a + b;
create function public.cookie(wanted text) returns text language sql stable
  return current_setting('request.cookies', true)::json ->> wanted;
create function public.pay() returns void language plpgsql as $$
  begin raise sqlstate 'PT402' using message = 'Pay first', detail = 'Nothing was paid', hint = 'Pay'; end $$;
create function public.hurry() returns text language sql set statement_timeout = '50ms'
  as $$ select pg_sleep(20)::text $$;
create function public.odd() returns void language plpgsql as $$ begin raise sqlstate 'PT40A' using message = 'Odd'; end $$;
create function public.vanish() returns void language plpgsql as $$ begin raise sqlstate 'PT205' using message = 'Reset'; end $$;
create function public.bad_message() returns void language plpgsql as $$
  begin raise sqlstate 'PGRST' using message = 'words', detail = '{"status": 400, "headers": {}}'; end $$;
create function public.bad_detail() returns void language plpgsql as $$
  begin raise sqlstate 'PGRST' using message = '{"code": "1", "message": "m"}', detail = 'words'; end $$;
create function public.no_detail() returns void language plpgsql as $$
  begin raise sqlstate 'PGRST' using message = '{"code": "1", "message": "m"}'; end $$;
create function public.whole() returns void language plpgsql as $$
  begin raise sqlstate 'PGRST' using message = '{"code": "1", "message": "m", "details": "d", "hint": "h"}',
    detail = '{"status": 418, "headers": {"x-pot": "tea"}}'; end $$;
create function public.bad_headers() returns int language plpgsql as $$
  begin perform set_config('response.headers', '{"x": "y"}', true); return 1; end $$;
create function public.bad_status() returns int language plpgsql as $$
  begin perform set_config('response.status', 'none', true); return 1; end $$;
create type public.point_2d as (x int, y int);
create domain public.place as public.point_2d;
create domain public.small as smallint check (value < 100);
create type public.mood as enum ('sad', 'glad');
create function public.numbers(low int, high int) returns table (id int) language sql stable
  begin atomic select n from generate_series(low + 1, high) as n; end;
create function public.composite() returns public.point_2d language sql stable return row(10, 5)::public.point_2d;
create function public.composite_domain() returns public.place language sql stable return row(1, 2)::public.place;
create function public.composites() returns setof public.point_2d language sql stable
  begin atomic select row(n, n)::public.point_2d from generate_series(1, 2) as n; end;
create function public.any_record() returns record language sql stable as $$ select id, name from public.genres where id = 1 $$;
create function public.any_records() returns setof record language sql stable as $$ select id, name from public.genres order by id $$;
create function public.as_domain(v public.small) returns public.small language sql stable return v;
create function public.as_mood(v public.mood) returns public.mood language sql stable return v;
create function public.as_range() returns int4range language sql stable return int4range(10, 20);
create function public.as_array() returns int[] language sql stable return array[1, 2];
create function public.arrays() returns setof int[] language sql stable begin atomic select array[n, n] from generate_series(1, 2) as n; end;
create function public.nothing_there() returns int language sql stable return null::int;
create function public.no_rows() returns setof int language sql stable begin atomic select 1 where false; end;
create function public.no_book() returns public.books language sql stable begin atomic select * from public.books where id = 0; end;
create function public.one_out(n int, out plus_one int) language sql stable return n + 1;
create function public.one_inout(inout n int) language sql stable return n + 1;
create function public.many_out(a int, inout b text, out c boolean) language sql stable begin atomic select b || a, true; end;
create function public.one_column() returns table (only_one text) language sql stable begin atomic select 'A'; end;
create function public.same_name() returns table (same_name text, value int) language sql stable begin atomic select 'hello', 1; end;
create function public.several(variadic v text[] default '{}') returns text[] language sql stable return v;
create function public.hello(name text, variadic v int[] default '{}') returns text language sql stable return 'Hello, ' || name;
create function public.defaults(a int default 1, b int default 2, c int default 3) returns int language sql stable return a + b + c;
create function public."Mixed Case"("fullName" text, "user" text) returns json language sql stable
  return json_build_object('user', "user", 'fullName', "fullName");
create function public.kind(arg json) returns text language sql stable return json_typeof(arg);
create function public.varied_types(d double precision, b boolean, day date, list text[], doc jsonb default '{}') returns jsonb language sql stable
  return jsonb_build_object('d', d, 'b', b, 'day', day, 'list', list, 'doc', doc);
create function public.two_cookies() returns void language plpgsql as $$
  begin perform set_config('response.headers', '[{"Set-Cookie": "a=1; HttpOnly"}, {"Set-Cookie": "b=2"}]', true); end $$;
create function public.plain_problem() returns void language plpgsql as $$ begin raise 'wrong'; end $$;
create function public.failed_assertion() returns void language plpgsql as $$ begin assert false, 'bad'; end $$;
create table public.touched (id int primary key generated always as identity, name text);
create function public.writes() returns int language sql as $$ insert into public.touched values (default) returning 1 $$;
create function public.speak() returns trigger language plpgsql as $$
  begin
    perform set_config('response.status', '202', true);
    perform set_config('response.headers', '[{"Location": "/touched?id=eq.overridden"}]', true);
    return new;
  end $$;
create trigger speak before insert on public.touched for each row execute function public.speak();
`;

const library = await openSampleDatabase(SCHEMA);
afterAll(() => library.stop());

const text = { 'content-type': 'text/plain' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const RENAME =
  'Try renaming the parameters or the function itself in the database so function overloading can be resolved';
const UNREADABLE = 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error';

const unnamed: Answer[] = [
  gives(
    'an empty name means the only parameter, which takes the whole body',
    'POST /rpc/took_text',
    'text {"":"x"}',
    { body: { '': 'x' } },
  ),
  gives('json', 'POST /rpc/took_json', 'json {"":{"a":1}}', { body: { '': { a: 1 } } }),
  gives('jsonb', 'POST /rpc/took_jsonb', 'jsonb {"a": 1, "b": 2}', { body: { a: 1, b: 2 } }),
  gives('text', 'POST /rpc/took_text', 'text as it is', { headers: text, body: 'as it is' }),
  gives('bytes', 'POST /rpc/took_bytes', 3, {
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from([0, 255, 1]),
  }),
  gives('a form', 'POST /rpc/took_text', 'text x', { headers: form, body: '=x' }),
  gives('without a body the overload without parameters is meant', 'POST /rpc/either', 1, { body: {} }),
  gives('with the empty name the other one', 'POST /rpc/either', '{"":"test"}', { body: { '': 'test' } }),
  refuses(
    'a default makes an overload without parameters ambiguous',
    { request: 'POST /rpc/maybe', body: {} },
    300,
    'PGRST203',
    'Could not choose the best candidate function between: public.maybe(), public.maybe( => text)',
    null,
    RENAME,
  ),
  gives('but not with the empty name', 'POST /rpc/maybe', '{"":"x"}', { body: { '': 'x' } }),
  refuses(
    'json and jsonb cannot be told apart',
    { request: 'POST /rpc/both_json', body: { a: 1 } },
    300,
    'PGRST203',
    'Could not choose the best candidate function between: public.both_json( => json), public.both_json( => jsonb)',
    null,
    RENAME,
  ),
  refuses(
    'a type that is no whole body is not offered',
    { request: 'POST /rpc/took_number', body: { '': 1 } },
    404,
    'PGRST202',
    'Could not find the function public.took_number() in the schema cache',
    'Searched for the function public.took_number with parameter  or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
  ),
  refuses(
    'nor for another content type',
    { request: 'POST /rpc/took_number', headers: text, body: '1' },
    404,
    'PGRST202',
    'Could not find the function public.took_number in the schema cache',
    'Searched for the function public.took_number with a single unnamed text parameter, but no matches were found in the schema cache.',
  ),
];

const named: Answer[] = [
  refuses(
    'overloads that fit are listed by the number, then the types of their parameters',
    '/rpc/varied?thing=x',
    300,
    'PGRST203',
    'Could not choose the best candidate function between: public.varied(thing => integer), public.varied(thing => xml), public.varied(thing => text, count => integer)',
    null,
    RENAME,
  ),
  gives('a second argument decides', '/rpc/varied?thing=x&count=2', 'two'),
  gives('parameters of type char take whole words', '/rpc/spell?letters=abcdefg&list={xyz,q}', 'abcdefgxyz'),
  gives('also from JSON', 'POST /rpc/spell', 'abcxyz', { body: { letters: 'abc', list: ['xyz'] } }),
  gives('parameters of type bit take whole patterns', '/rpc/bits?pattern=1011&list={10}', '101110'),
  gives('of a list of objects the first one counts', 'POST /rpc/sum_of', 3, {
    body: [
      { a: 1, b: 2 },
      { a: 4, b: 6 },
    ],
  }),
  refuses(
    'objects that differ in their keys are refused',
    { request: 'POST /rpc/sum_of', body: [{ a: 1, b: 2 }, { a: 4 }] },
    400,
    'PGRST102',
    'All object keys must match',
  ),
  gives('keys beyond the columns named are left out', 'POST /rpc/sum_of?columns=a,b', 3, {
    body: { a: 1, b: 2, c: 3 },
  }),
  gives('a table of values', 'POST /rpc/sum_of', 3, {
    headers: { 'content-type': 'text/csv' },
    body: 'a,b\n1,2\n4,6',
  }),
  refuses(
    'arguments in the address of a POST are read as filters',
    { request: 'POST /rpc/sum_of?a=1', body: { b: 2 } },
    400,
    'PGRST100',
    '"failed to parse filter (1)" (line 1, column 1)',
    'unexpected "1" expecting "not" or operator (eq, gt, ...)',
  ),
  refuses(
    'the closest names are a hint',
    '/rpc/sum_of?a=1&b=2&more=3',
    404,
    'PGRST202',
    'Could not find the function public.sum_of(a, b, more) in the schema cache',
    'Searched for the function public.sum_of with parameters a, b, more, but no matches were found in the schema cache.',
    'Perhaps you meant to call the function public.sum_of(a, b)',
  ),
  refuses(
    'a body may be meant for one parameter without a name',
    { request: 'POST /rpc/ad', body: { a: 1, c: 2 } },
    404,
    'PGRST202',
    'Could not find the function public.ad(a, c) in the schema cache',
    'Searched for the function public.ad with parameters a, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
  ),
  gives('cookies can be read', '/rpc/cookie?wanted=second', 'two%20words', {
    headers: { cookie: 'first=1; second=two%20words' },
  }),
  gives('no cookies are an empty object', '/rpc/cookie?wanted=first', null),
  refuses(
    'only reading and calling are methods of a function',
    { request: 'PATCH /rpc/sum_of', body: {} },
    405,
    'PGRST101',
    'Cannot use the PATCH method on RPC',
  ),
];

const raised: Answer[] = [
  refuses(
    'a code PTxyz is the status',
    'POST /rpc/pay',
    402,
    'PT402',
    'Pay first',
    'Nothing was paid',
    'Pay',
  ),
  refuses(
    'a function’s own limit of time counts',
    'POST /rpc/hurry',
    500,
    '57014',
    'canceling statement due to statement timeout',
  ),
  refuses('but not without a number', 'POST /rpc/odd', 500, 'PT40A', 'Odd'),
  { name: 'a status without a body has none', request: 'POST /rpc/vanish', status: 205, text: '' },
  {
    name: 'the whole answer is the function’s',
    request: 'POST /rpc/whole',
    status: 418,
    answerHeaders: { 'x-pot': 'tea', 'proxy-status': 'PostgREST; error=1' },
    answer: refusal('1', 'm', 'd', 'h'),
  },
  refuses(
    'a message that is no JSON',
    'POST /rpc/bad_message',
    500,
    'PGRST121',
    UNREADABLE,
    "Invalid JSON value for MESSAGE: 'words'",
    "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
  ),
  refuses(
    'a detail that is no JSON',
    'POST /rpc/bad_detail',
    500,
    'PGRST121',
    UNREADABLE,
    "Invalid JSON value for DETAIL: 'words'",
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
  ),
  refuses(
    'no detail',
    'POST /rpc/no_detail',
    500,
    'PGRST121',
    UNREADABLE,
    'DETAIL is missing in the RAISE statement',
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
  ),
  refuses(
    'headers that are no list',
    'POST /rpc/bad_headers',
    500,
    'PGRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  ),
  refuses(
    'a status that is no number',
    'POST /rpc/bad_status',
    500,
    'PGRST112',
    'response.status guc must be a valid status code',
  ),
];

const EXACT = { prefer: 'count=exact' };
const returned: Answer[] = [
  ...(
    [
      ['a row', 'composite', { x: 10, y: 5 }],
      ['a domain of a row', 'composite_domain', { x: 1, y: 2 }],
      [
        'rows',
        'composites',
        [
          { x: 1, y: 1 },
          { x: 2, y: 2 },
        ],
      ],
      ['a record', 'any_record', { id: 1, name: 'craft' }],
      [
        'records',
        'any_records',
        [
          { id: 1, name: 'craft' },
          { id: 2, name: 'story' },
        ],
      ],
      ['a domain', 'as_domain?v=8', 8],
      ['one of a list', 'as_mood?v=glad', 'glad'],
      ['a range', 'as_range', '[10,20)'],
      ['an array', 'as_array', [1, 2]],
      [
        'a set of arrays',
        'arrays',
        [
          [1, 1],
          [2, 2],
        ],
      ],
      ['no value', 'nothing_there', null],
      ['an empty set', 'no_rows', []],
      ['one value out', 'one_out?n=5', { plus_one: 6 }],
      ['one value in and out', 'one_inout?n=2', { n: 3 }],
      ['several values out', 'many_out?a=1&b=x', { b: 'x1', c: true }],
      ['a table of one column', 'one_column', [{ only_one: 'A' }]],
      ['a column of the same name', 'same_name', [{ same_name: 'hello', value: 1 }]],
      ['none of several', 'several', []],
      ['one of several', 'several?v=hi', ['hi']],
      ['two of several', 'several?v=hi&v=there', ['hi', 'there']],
      ['the last one where one is meant', 'hello?name=ignored&name=world&v=1', 'Hello, world'],
      ['defaults', 'defaults?b=4', 8],
      ['mixed case', 'Mixed%20Case?user=m&fullName=M%20S', { user: 'm', fullName: 'M S' }],
      [
        'arguments of several types',
        'varied_types?d=3.1&b=true&day=20190101&list=%7Ba,b%7D',
        { d: 3.1, b: true, day: '2019-01-01', list: ['a', 'b'], doc: {} },
      ],
    ] as const
  ).map(([name, call, answer]) => ({ name, request: `/rpc/${call}`, status: 200, answer })),
  gives(
    'the same in a body',
    'POST /rpc/varied_types',
    { d: 3.1, b: true, day: '2019-01-01', list: ['a', 'b'], doc: { k: [1, '2'] } },
    { body: { d: 3.1, b: true, day: '20190101', list: ['a', 'b'], doc: { k: [1, '2'] } } },
  ),
  gives(
    'the same in a form',
    'POST /rpc/varied_types',
    { d: 3.1, b: true, day: '2019-01-01', list: ['a', 'b'], doc: {} },
    { headers: form, body: 'd=3.1&b=true&day=20190101&list=%7Ba,b%7D' },
  ),
  gives('several in a form', 'POST /rpc/several', ['hi', 'there'], { headers: form, body: 'v=hi&v=there' }),
  gives('a text as JSON', 'POST /rpc/kind', 'string', { body: { arg: '{ "key": 3 }' } }),
  gives('nothing sent', 'POST /rpc/as_array', [1, 2]),
  {
    name: 'one value is counted as one',
    request: '/rpc/as_domain?v=8',
    headers: EXACT,
    status: 200,
    answerHeaders: { 'content-range': '0-0/1' },
  },
  {
    name: 'a page by a range',
    request: '/rpc/numbers?low=2&high=4',
    headers: { ...EXACT, range: '1-1' },
    status: 206,
    answerHeaders: { 'content-range': '1-1/2' },
    answer: [{ id: 4 }],
  },
  {
    name: 'a page of a POST, whatever its range says',
    request: 'POST /rpc/numbers?limit=2&offset=1',
    headers: { ...EXACT, range: '0-0' },
    body: { low: 2, high: 5 },
    status: 206,
    answerHeaders: { 'content-range': '1-2/3' },
    answer: [{ id: 4 }, { id: 5 }],
  },
  {
    name: 'the head alone, whatever its range says',
    request: 'HEAD /rpc/numbers?low=2&high=4',
    headers: { ...EXACT, range: '1-1' },
    status: 200,
    answerHeaders: { 'content-range': '0-1/2', 'content-type': 'application/json; charset=utf-8' },
    text: '',
  },
  {
    name: 'values as CSV',
    request: '/rpc/numbers?low=2&high=4',
    headers: { accept: 'text/csv' },
    status: 200,
    answerHeaders: { 'content-type': 'text/csv; charset=utf-8' },
    text: 'id\n3\n4',
  },
  refuses('a write by GET', '/rpc/writes', 405, '25006', 'cannot execute INSERT in a read-only transaction'),
  refuses('an exception', 'POST /rpc/plain_problem', 400, 'P0001', 'wrong'),
  refuses('a failed assertion', 'POST /rpc/failed_assertion', 500, 'P0004', 'bad'),
  {
    name: 'the same header twice, and no body',
    request: 'POST /rpc/two_cookies',
    status: 204,
    answerHeaders: { 'set-cookie': 'a=1; HttpOnly, b=2', 'content-type': null },
    text: '',
  },
  {
    name: 'what a trigger says of a new row',
    request: 'POST /touched',
    headers: { prefer: 'return=headers-only' },
    body: { name: 'x' },
    status: 202,
    answerHeaders: { location: '/touched?id=eq.overridden' },
  },
  refuses(
    'a function that almost is there',
    '/rpc/as_arrays',
    404,
    'PGRST202',
    'Could not find the function public.as_arrays without parameters in the schema cache',
    'Searched for the function public.as_arrays without parameters, but no matches were found in the schema cache.',
    'Perhaps you meant to call the function public.as_array',
  ),
];

describe('what a function returns', () => compareAnswers(library, returned));
describe('a function with one parameter without a name', () => compareAnswers(library, unnamed));
describe('arguments by name', () => compareAnswers(library, named));
describe('what a function raises', () => compareAnswers(library, raised));
