import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../app/errors.ts';
import { SOLUTION } from '../../solution.ts';
import { openDatabase } from '../fixtures.ts';

// Every function that takes JSON from a member is sent, in the place of each value, what no form sends.
const { as, owner, solution, upload, buildFile } = openDatabase();

const HOSTILE: [string, unknown][] = [
  ['null', null],
  ['a text', 'a text'],
  ['a number', 7.5],
  ['a number that no column holds', 1e300],
  ['an empty list', []],
  ['a list of nothing', [null]],
  ['a list of lists', [[['x']]]],
  ['a list of texts', ['x', 'x']],
  ['an object of other fields', { id: 1, user_id: 'x', status: 'approved', position: 'x', trial_id: 7 }],
  ['something nested deeply', JSON.parse(`${'[{"value":'.repeat(50)}1${'}]'.repeat(50)}`)],
];

const OUTCOME = {
  measure: 'TUG',
  score_before: 18.2,
  score_after: 12.4,
  people_before: 1,
  people: 1,
  follow_up_weeks: 6,
  device_before: 'SACH foot',
};

/** The arguments of each function, with every field filled in. */
async function filled(): Promise<Record<string, Record<string, unknown>>> {
  const source = await solution('approved', 'moderator2');
  const translated = await solution('approved', 'moderator2');
  await owner("update solutions set licence = 'CC0 1.0' where id = $1", [translated]);
  await owner(
    `update solution_versions set content = content || '{"licence": "CC0 1.0"}' where solution_id = $1`,
    [translated],
  );
  const { media_url } = await upload();
  const trialPicture = await upload();
  const form = {
    ...SOLUTION,
    materials: ['Silicone'],
    custom_tags: ['bow'],
    durability_testing: 'A year of daily use.',
    patient_outcomes: 'Plays again.',
    challenges_overcome: 'The grip slipped at first.',
    change_note: 'A stronger clamp',
    audience: 'public',
    based_on: [source],
    outcomes: [OUTCOME],
    files: [{ file_url: await buildFile(), licence: 'CC0 1.0', description: 'The clamp' }],
    fabrication: {
      hours: 2,
      tools: ['Saw'],
      currency: 'GBP',
      parts: [
        {
          component: 'Clamp',
          maker: 'O',
          part_number: '7',
          quantity: 1,
          cost: 2,
          link: 'https://a.example/',
        },
      ],
      steps: [{ instruction: 'Cut it.', media_url }],
    },
  };
  const statement = { consent: 'patient_written', consent_version: '2026-11-01' };
  const media = [{ media_url, description: 'The clamp' }];
  const { result, ...patient } = {
    result: 'worked',
    amputation_level: SOLUTION.amputation_level,
    age_group: SOLUTION.age_group,
    prosthesis_type: SOLUTION.prosthesis_type,
  };
  return {
    submit_solution: { solution: form, media, ...statement, thumbnail_url: media_url },
    resubmit_solution: {
      id: await solution(),
      solution: form,
      media,
      ...statement,
      thumbnail_url: media_url,
    },
    submit_translation: {
      solution: translated,
      version: 1,
      language: 'es',
      texts: { title: 'Casquillo', description: 'Dos piezas.' },
    },
    submit_trial: {
      solution: source,
      version: 1,
      report: { result, changes: 'A liner', experience: 'It held.', ...patient, outcomes: [OUTCOME] },
      media: [{ media_url: trialPicture.media_url, description: 'The liner' }],
      ...statement,
      submission_id: randomUUID(),
    },
  };
}

type Path = (string | number)[];

/** Where something else can stand: each field and item within the arguments that are JSON, and these themselves. */
function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value))
      yield* pathsIn(item, [...path, Array.isArray(value) ? Number(key) : key]);
}

function withOther(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  const copy: unknown = structuredClone(value);
  if (typeof copy === 'object' && copy !== null)
    Reflect.set(copy, key, withOther(Reflect.get(copy, key), rest, other));
  return copy;
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((found, key) => Reflect.get(Object(found), key), value);

/** What a field holds may be left out, be another text, another number, or an empty list or a shorter one. */
const isOfItsKind = (usual: unknown, other: unknown) =>
  other === null ||
  (typeof usual === typeof other && !(typeof usual === 'object')) ||
  (Array.isArray(usual) && Array.isArray(other) && other.every((item) => typeof item === typeof usual[0]));

const call = (name: string, args: Record<string, unknown>) => {
  const names = Object.keys(args);
  return as(
    'author',
    `select ${name}(${names.map((arg, place) => `${arg} => $${place + 1}`).join(', ')})`,
    Object.values(args).map((value, place) =>
      ['solution', 'media', 'report', 'texts'].includes(names[place] ?? '') &&
      !(['submit_trial', 'submit_translation'].includes(name) && names[place] === 'solution')
        ? JSON.stringify(value)
        : value,
    ),
  );
};

describe('what no form sends', () => {
  it('is tried with every function that takes JSON from members', async () => {
    const taking = await owner<{ proname: string }>(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace
         and has_function_privilege('authenticated', oid, 'execute')
         and proargtypes::oid[] && array['jsonb'::regtype::oid, 'json'::regtype::oid] order by 1`,
    );
    expect(taking.map(({ proname }) => proname)).toEqual(Object.keys(await filled()).toSorted());
  });

  it.each(['submit_solution', 'resubmit_solution', 'submit_translation', 'submit_trial'])(
    'is refused by %s in words, wherever it stands; what it can do without may be left out',
    async (name) => {
      const valid = (await filled())[name] ?? {};
      await owner('savepoint usual');
      expect(await call(name, valid)).toMatchObject({ rowCount: 1 });
      await owner('rollback to usual');
      const wrong: string[] = [];
      for (const path of pathsIn(valid))
        for (const [kind, other] of HOSTILE) {
          // What is no JSON is refused by the type of the argument, before the function is asked. What lies deeper is read by
          // the same functions for a new solution and a changed one.
          if (
            path.length === 1
              ? typeof at(valid, path) !== 'object'
              : path.length > (name === 'resubmit_solution' ? 2 : 9)
          )
            continue;
          const { code, message } = await call(
            name,
            withOther(valid, path, other) as Record<string, unknown>,
          );
          await owner('rollback to usual');
          if (
            code === undefined
              ? !isOfItsKind(at(valid, path), other)
              : messageOf({ code, message }, '') === ''
          )
            wrong.push(`${path.join('.')} = ${kind}: ${code ?? 'accepted'} ${message ?? ''}`);
        }
      expect(wrong).toEqual([]);
    },
  );
});

describe('a row that no form sends', () => {
  it('is refused by a rule or a type, in each column that a member writes, and never by a fault', async () => {
    const columns = await owner<{ table: string; column: string; type: string }>(
      `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
         and has_column_privilege('authenticated', c.oid, a.attnum, 'insert') order by 1, 2`,
    );
    expect(columns.length).toBeGreaterThan(60);
    await owner('savepoint usual');
    const wrong: string[] = [];
    for (const { table, column, type } of columns)
      for (const [kind, value] of [
        ...HOSTILE,
        ['a thousand texts', Array(1000).fill('x')] as [string, unknown],
      ]) {
        const { code, message } = await as(
          'author',
          `insert into ${table} (${column}) select f.${column} from jsonb_populate_record(null::${table}, $1) f`,
          [JSON.stringify({ [column]: value })],
        );
        await owner('rollback to usual');
        if (code !== undefined && !/^(22|23|42501|PT|PGRST)/.test(code))
          wrong.push(`${table}.${column} (${type}) = ${kind}: ${code} ${message}`);
      }
    expect(wrong).toEqual([]);
  });
});

/** Values of a type that no page asks with. */
const EXTREMES: Record<string, string[]> = {
  text: ['', '~', '~~~~', 'x~y~z~w', '%', "'", 'ż̈'.repeat(5000), '\u202e\ufffe', '-1', '9'.repeat(400)],
  integer: ['-2147483648', '-1', '0', '2147483647'],
  uuid: ['00000000-0000-0000-0000-000000000000'],
  'uuid[]': ['{}', '{null}', '{{00000000-0000-0000-0000-000000000000}}'],
  'text[]': ['{}', '{null}', '{{a,b},{c,d}}', `{${Array(5000).fill('x').join()}}`],
  'timestamp with time zone': ['infinity', '-infinity', '0001-01-01', '294276-12-31'],
  jsonb: [],
};

describe('a call that no page makes', () => {
  it.each(['visitor', 'author'] as const)(
    'is answered to a %s or refused, by every function, and never by a fault',
    async (actor) => {
      const functions = await owner<{ name: string; args: string[]; types: string[]; needed: number }>(
        `select proname as name, pronargs - pronargdefaults as needed, coalesce(proargnames[1:pronargs], '{}') as args,
         array(select format_type(t, null) from unnest(proargtypes::oid[]) with ordinality as u (t, n) order by n) as types
       from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' and prorettype <> 'trigger'::regtype
         and has_function_privilege('${actor === 'visitor' ? 'anon' : 'authenticated'}', oid, 'execute') order by 1`,
      );
      expect(functions.length).toBeGreaterThan(15);
      await owner('savepoint usual');
      const wrong: string[] = [];
      for (const { name, args, types, needed } of functions)
        for (const [place, type] of types.entries())
          for (const value of EXTREMES[type] ?? ['no such type']) {
            const { code, message } = await as(
              actor,
              `select ${name}(${args.flatMap((arg, n) => (n === place ? `${arg} => $1::${types[n]}` : n < needed ? `${arg} => null` : [])).join(', ')})`,
              [value],
            );
            await owner('rollback to usual');
            if (code !== undefined && !/^(22|23|42501|PT|PGRST)/.test(code))
              wrong.push(`${name}(${args[place]} => ${value.slice(0, 40)}): ${code} ${message}`);
          }
      expect(wrong).toEqual([]);
    },
  );
});
