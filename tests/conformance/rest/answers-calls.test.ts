import { afterAll, beforeAll, describe } from 'vitest';
import { type Answer, compareAnswers, refusal } from './answers.ts';
import { openSampleDatabase, type SampleDatabase } from './sample-schema.ts';

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
`;

let library: SampleDatabase;
beforeAll(async () => {
  library = await openSampleDatabase(SCHEMA);
});
afterAll(() => library.stop());

const text = { 'content-type': 'text/plain' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const RENAME =
  'Try renaming the parameters or the function itself in the database so function overloading can be resolved';
const UNREADABLE = 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error';

const unnamed: Answer[] = [
  {
    name: 'an empty name means the only parameter, which takes the whole body',
    request: 'POST /rpc/took_text',
    body: { '': 'x' },
    status: 200,
    answer: 'text {"":"x"}',
  },
  {
    name: 'json',
    request: 'POST /rpc/took_json',
    body: { '': { a: 1 } },
    status: 200,
    answer: 'json {"":{"a":1}}',
  },
  {
    name: 'jsonb',
    request: 'POST /rpc/took_jsonb',
    body: { a: 1, b: 2 },
    status: 200,
    answer: 'jsonb {"a": 1, "b": 2}',
  },
  {
    name: 'text',
    request: 'POST /rpc/took_text',
    headers: text,
    body: 'as it is',
    status: 200,
    answer: 'text as it is',
  },
  {
    name: 'bytes',
    request: 'POST /rpc/took_bytes',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from([0, 255, 1]),
    status: 200,
    answer: 3,
  },
  {
    name: 'a form',
    request: 'POST /rpc/took_text',
    headers: form,
    body: '=x',
    status: 200,
    answer: 'text x',
  },
  {
    name: 'without a body the overload without parameters is meant',
    request: 'POST /rpc/either',
    body: {},
    status: 200,
    answer: 1,
  },
  {
    name: 'with the empty name the other one',
    request: 'POST /rpc/either',
    body: { '': 'test' },
    status: 200,
    answer: '{"":"test"}',
  },
  {
    name: 'a default makes an overload without parameters ambiguous',
    request: 'POST /rpc/maybe',
    body: {},
    status: 300,
    answer: refusal(
      'PGRST203',
      'Could not choose the best candidate function between: public.maybe(), public.maybe( => text)',
      null,
      RENAME,
    ),
  },
  {
    name: 'but not with the empty name',
    request: 'POST /rpc/maybe',
    body: { '': 'x' },
    status: 200,
    answer: '{"":"x"}',
  },
  {
    name: 'json and jsonb cannot be told apart',
    request: 'POST /rpc/both_json',
    body: { a: 1 },
    status: 300,
    answer: refusal(
      'PGRST203',
      'Could not choose the best candidate function between: public.both_json( => json), public.both_json( => jsonb)',
      null,
      RENAME,
    ),
  },
  {
    name: 'a type that is no whole body is not offered',
    request: 'POST /rpc/took_number',
    body: { '': 1 },
    status: 404,
    answer: refusal(
      'PGRST202',
      'Could not find the function public.took_number() in the schema cache',
      'Searched for the function public.took_number with parameter  or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    ),
  },
  {
    name: 'nor for another content type',
    request: 'POST /rpc/took_number',
    headers: text,
    body: '1',
    status: 404,
    answer: refusal(
      'PGRST202',
      'Could not find the function public.took_number in the schema cache',
      'Searched for the function public.took_number with a single unnamed text parameter, but no matches were found in the schema cache.',
    ),
  },
];

const named: Answer[] = [
  {
    name: 'overloads that fit are listed by the number, then the types of their parameters',
    request: '/rpc/varied?thing=x',
    status: 300,
    answer: refusal(
      'PGRST203',
      'Could not choose the best candidate function between: public.varied(thing => integer), public.varied(thing => xml), public.varied(thing => text, count => integer)',
      null,
      RENAME,
    ),
  },
  { name: 'a second argument decides', request: '/rpc/varied?thing=x&count=2', status: 200, answer: 'two' },
  {
    name: 'parameters of type char take whole words',
    request: '/rpc/spell?letters=abcdefg&list={xyz,q}',
    status: 200,
    answer: 'abcdefgxyz',
  },
  {
    name: 'also from JSON',
    request: 'POST /rpc/spell',
    body: { letters: 'abc', list: ['xyz'] },
    status: 200,
    answer: 'abcxyz',
  },
  {
    name: 'parameters of type bit take whole patterns',
    request: '/rpc/bits?pattern=1011&list={10}',
    status: 200,
    answer: '101110',
  },
  {
    name: 'of a list of objects the first one counts',
    request: 'POST /rpc/sum_of',
    body: [
      { a: 1, b: 2 },
      { a: 4, b: 6 },
    ],
    status: 200,
    answer: 3,
  },
  {
    name: 'objects that differ in their keys are refused',
    request: 'POST /rpc/sum_of',
    body: [{ a: 1, b: 2 }, { a: 4 }],
    status: 400,
    answer: refusal('PGRST102', 'All object keys must match'),
  },
  {
    name: 'keys beyond the columns named are left out',
    request: 'POST /rpc/sum_of?columns=a,b',
    body: { a: 1, b: 2, c: 3 },
    status: 200,
    answer: 3,
  },
  {
    name: 'a table of values',
    request: 'POST /rpc/sum_of',
    headers: { 'content-type': 'text/csv' },
    body: 'a,b\n1,2\n4,6',
    status: 200,
    answer: 3,
  },
  {
    name: 'arguments in the address of a POST are read as filters',
    request: 'POST /rpc/sum_of?a=1',
    body: { b: 2 },
    status: 400,
    answer: refusal(
      'PGRST100',
      '"failed to parse filter (1)" (line 1, column 1)',
      'unexpected "1" expecting "not" or operator (eq, gt, ...)',
    ),
  },
  {
    name: 'the closest names are a hint',
    request: '/rpc/sum_of?a=1&b=2&more=3',
    status: 404,
    answer: refusal(
      'PGRST202',
      'Could not find the function public.sum_of(a, b, more) in the schema cache',
      'Searched for the function public.sum_of with parameters a, b, more, but no matches were found in the schema cache.',
      'Perhaps you meant to call the function public.sum_of(a, b)',
    ),
  },
  {
    name: 'cookies can be read',
    request: '/rpc/cookie?wanted=second',
    headers: { cookie: 'first=1; second=two%20words' },
    status: 200,
    answer: 'two%20words',
  },
  { name: 'no cookies are an empty object', request: '/rpc/cookie?wanted=first', status: 200, answer: null },
  {
    name: 'only reading and calling are methods of a function',
    request: 'PATCH /rpc/sum_of',
    body: {},
    status: 405,
    answer: refusal('PGRST101', 'Cannot use the PATCH method on RPC'),
  },
];

const raised: Answer[] = [
  {
    name: 'a code PTxyz is the status',
    request: 'POST /rpc/pay',
    status: 402,
    answer: refusal('PT402', 'Pay first', 'Nothing was paid', 'Pay'),
  },
  {
    name: 'a function’s own limit of time counts',
    request: 'POST /rpc/hurry',
    status: 500,
    answer: refusal('57014', 'canceling statement due to statement timeout'),
  },
  {
    name: 'but not without a number',
    request: 'POST /rpc/odd',
    status: 500,
    answer: refusal('PT40A', 'Odd'),
  },
  { name: 'a status without a body has none', request: 'POST /rpc/vanish', status: 205, text: '' },
  {
    name: 'the whole answer is the function’s',
    request: 'POST /rpc/whole',
    status: 418,
    answerHeaders: { 'x-pot': 'tea', 'proxy-status': 'PostgREST; error=1' },
    answer: refusal('1', 'm', 'd', 'h'),
  },
  {
    name: 'a message that is no JSON',
    request: 'POST /rpc/bad_message',
    status: 500,
    answer: refusal(
      'PGRST121',
      UNREADABLE,
      "Invalid JSON value for MESSAGE: 'words'",
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    ),
  },
  {
    name: 'a detail that is no JSON',
    request: 'POST /rpc/bad_detail',
    status: 500,
    answer: refusal(
      'PGRST121',
      UNREADABLE,
      "Invalid JSON value for DETAIL: 'words'",
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    ),
  },
  {
    name: 'no detail',
    request: 'POST /rpc/no_detail',
    status: 500,
    answer: refusal(
      'PGRST121',
      UNREADABLE,
      'DETAIL is missing in the RAISE statement',
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    ),
  },
  {
    name: 'headers that are no list',
    request: 'POST /rpc/bad_headers',
    status: 500,
    answer: refusal(
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ),
  },
  {
    name: 'a status that is no number',
    request: 'POST /rpc/bad_status',
    status: 500,
    answer: refusal('PGRST112', 'response.status guc must be a valid status code'),
  },
];

describe('a function with one parameter without a name', () => compareAnswers(() => library, unnamed));
describe('arguments by name', () => compareAnswers(() => library, named));
describe('what a function raises', () => compareAnswers(() => library, raised));
