import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, relative } from 'node:path';
import pg from 'pg';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';

// Breaks the database's rules one at a time and expects the policy tests to notice each: a rule whose loss no
// test notices has not been shown to hold. Words given on the command line choose the mutants that contain
// them all. The results are written down, so that an interrupted run continues where it was: a mutant is
// tried again when the schema has changed, or the test that noticed it.

interface Mutant {
  /** The statement that removes the rule. */
  sql: string;
  /** The object it is about; test files that name it are tried first. */
  about: string;
  /** The access matrix may show it, which is quick. */
  matrix: boolean;
}

/** Losses that change nothing, each with its reason. */
const harmless: Record<string, string> = {};

const MUTANTS = `
  with relations as (
    select c.oid, c.oid::regclass::text as name, c.relname as about, c.relkind, c.relacl
    from pg_class c where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind in ('r', 'v')
  )
  select format('drop policy %I on %s', p.polname, p.polrelid::regclass) as sql,
    case c.relnamespace when 'storage'::regnamespace then 'storage.' else '' end || c.relname as about, true as matrix
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where c.relnamespace in ('public'::regnamespace, 'storage'::regnamespace)
  union all
  select format('alter policy %I on %s%s%s', p.polname, p.polrelid::regclass,
    case when p.polqual is not null then ' using (true)' end, case when p.polwithcheck is not null then ' with check (true)' end),
    case c.relnamespace when 'storage'::regnamespace then 'storage.' else '' end || c.relname, true
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where c.relnamespace in ('public'::regnamespace, 'storage'::regnamespace) and p.polpermissive
    and coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) <> 'true'
  union all
  select format('alter table %s disable row level security', r.name), r.about, true from relations r
  where r.relkind = 'r' and r.oid in (select polrelid from pg_policy)
  union all
  select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass), c.relname, false
  from pg_trigger t join pg_proc f on f.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and f.pronamespace = 'private'::regnamespace
  union all
  select format('alter table %s drop constraint %I cascade', k.conrelid::regclass, k.conname), r.about, false
  from pg_constraint k join relations r on r.oid = k.conrelid
  where k.contype in ('c', 'u') or (k.contype = 'f' and k.conname like '% %')
  union all
  select format('drop index %s', i.indexrelid::regclass), r.about, false
  from pg_index i join relations r on r.oid = i.indrelid
  where i.indisunique and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  union all
  select format('revoke %s on %s from %I', g.privilege_type, r.name, g.grantee::regrole), r.about, true
  from relations r, aclexplode(r.relacl) g where g.grantee in ('anon'::regrole, 'authenticated'::regrole)
  union all
  select format('revoke %s (%I) on %s from %I', g.privilege_type, a.attname, r.name, g.grantee::regrole), r.about, true
  from relations r join pg_attribute a on a.attrelid = r.oid, aclexplode(a.attacl) g
  where g.grantee in ('anon'::regrole, 'authenticated'::regrole)
  union all
  select format('grant %s on %s to %s', v.privilege, r.name, g.who), r.about, true
  from relations r, unnest(array['select', 'insert', 'update', 'delete']) v (privilege), unnest(array['anon', 'authenticated']) g (who)
  where r.oid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    and not has_table_privilege(g.who, r.oid, v.privilege)
  union all
  select format('revoke execute on function %s from %s', f.oid::regprocedure, g.grantee::regrole), f.proname, false
  from pg_proc f, aclexplode(f.proacl) g
  where f.pronamespace = 'public'::regnamespace and g.grantee in ('anon'::regrole, 'authenticated'::regrole)`;

const NOTICED_FILE = 'test-results/mutants.txt';

const hashOf = (files: string[]) => {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
};

/** The record of each mutant that was noticed: the test file, with hashes of it and of the schema. */
function noticedBy(file: string, { sql }: Mutant): string {
  const shared = ['supabase/migrations/*', 'backend/sql/*', 'tests/policies/**/!(*.test.ts)'];
  const files = globSync(shared).filter((name) => statSync(name).isFile());
  schema ??= hashOf([...files, 'scripts/mutants.ts']);
  const path = relative('.', file);
  return [sql, path, hashOf([path]), schema].join('\t');
}
let schema: string | undefined;

async function openVitest(): Promise<Vitest> {
  return createVitest('test', {
    project: ['policies'],
    watch: false,
    maxWorkers: 1,
    isolate: false,
    pool: 'forks',
    reporters: [{}],
  });
}

/** Runs test files in this order until one is red, and returns that file and the failed test. */
async function firstToNotice(
  vitest: Vitest,
  files: TestSpecification[],
  mutation: string,
): Promise<{ file: string; test: string } | undefined> {
  vitest.getProjectByName('policies').provide('mutation', mutation);
  for (const file of files) {
    const { testModules } = await vitest.runTestSpecifications([file]);
    vitest.state.clearErrors();
    // The result also covers files that ran before.
    const module = testModules.find((one) => one.moduleId === file.moduleId && !one.ok());
    if (module) {
      const [test] = module.children.allTests('failed');
      return { file: file.moduleId, test: test?.name ?? `${module.errors()[0]?.message}` };
    }
  }
}

/** The mutants that leave the access matrix of their relation unchanged. */
async function unseenByMatrix(
  vitest: Vitest,
  matrix: TestSpecification,
  mutants: Mutant[],
): Promise<Mutant[]> {
  const project = vitest.getProjectByName('policies');
  project.provide('mutations', mutants);
  const { testModules } = await vitest.runTestSpecifications([matrix]);
  project.provide('mutations', undefined);
  const tests = testModules.flatMap((module) => [...module.children.allTests()]);
  const missed = tests.map((test) => test.meta().missed).find((found) => found !== undefined);
  if (!missed)
    throw new Error(`The access matrix is not green: ${JSON.stringify(tests.map((test) => test.result()))}`);
  return mutants.filter(({ sql }) => missed.includes(sql));
}

mkdirSync('test-results', { recursive: true });
const before = existsSync(NOTICED_FILE) ? readFileSync(NOTICED_FILE, 'utf8').split('\n') : [];
const chosen = process.argv.slice(2);
const started = Date.now();
const seconds = () => Math.round((Date.now() - started) / 1000);
const [first, second] = await Promise.all([openVitest(), openVitest()]);
const survivors: string[] = [];
try {
  const files = await first.globTestSpecifications();
  const others = await second.globTestSpecifications();
  const half = Math.ceil(files.length / 2);
  const red = (
    await Promise.all([
      firstToNotice(first, files.slice(0, half), ''),
      firstToNotice(second, others.slice(half), ''),
    ])
  ).find((one) => one !== undefined);
  const matrix = files.find((file) => file.moduleId.endsWith('access/matrix.test.ts'));
  if (!matrix || red) throw new Error(`${red?.file ?? 'The access matrix'} is not green without a mutant.`);
  const client = new pg.Client({
    connectionString: first.getProjectByName('policies').getProvidedContext().clusterUrl,
  });
  await client.connect();
  const all = (await client.query<Mutant>(MUTANTS)).rows;
  // Tests copy the template, which must have no sessions while they do.
  await client.end();
  const stale = Object.keys(harmless).filter((sql) => !all.some((mutant) => mutant.sql === sql));
  if (stale.length > 0) throw new Error(`No mutant any more, but listed as harmless: ${stale.join('; ')}`);
  const selected = all.filter(({ sql }) => !(sql in harmless) && chosen.every((word) => sql.includes(word)));
  const fileOf = new Map(before.map((line) => [line.split('\t')[0], line.split('\t')[1]]));
  const mutants = selected.filter((mutant) => {
    const file = fileOf.get(mutant.sql);
    return (
      !file ||
      !files.some(({ moduleId }) => relative('.', moduleId) === file) ||
      !before.includes(noticedBy(file, mutant))
    );
  });
  console.log(
    `${selected.length} mutants, of which ${selected.length - mutants.length} were noticed before, after ${seconds()} s`,
  );

  const queue = mutants.filter((mutant) => !mutant.matrix);
  const tryAll = async (vitest: Vitest, specifications: TestSpecification[]) => {
    const all = specifications.filter(({ moduleId }) => moduleId !== matrix.moduleId);
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const { sql, about } = mutant;
      // Slow files come last, whatever they mention.
      const relevance = ({ moduleId }: TestSpecification) =>
        /(races|points|limits)\.test\.ts$/.test(moduleId)
          ? 0
          : moduleId.endsWith('constraints.test.ts') && sql.includes(' drop constraint ')
            ? Number.POSITIVE_INFINITY
            : readFileSync(moduleId, 'utf8').split(about).length;
      const ordered = all.toSorted((one, other) => relevance(other) - relevance(one));
      const by = await firstToNotice(vitest, ordered, sql);
      if (by) appendFileSync(NOTICED_FILE, `${noticedBy(by.file, mutant)}\n`);
      else survivors.push(sql);
      const detectedBy = by ? `${basename(by.file)} "${by.test}"` : 'NOTICED BY NOTHING';
      console.log(`${seconds()} s, ${queue.length} to go: ${detectedBy}: ${sql}`);
    }
  };
  const quickly = async () => {
    const tried = mutants.filter((mutant) => mutant.matrix);
    const unseen = await unseenByMatrix(first, matrix, tried);
    for (const mutant of tried)
      if (!unseen.includes(mutant)) appendFileSync(NOTICED_FILE, `${noticedBy(matrix.moduleId, mutant)}\n`);
    queue.push(...unseen);
    console.log(`${seconds()} s: the access matrix leaves ${unseen.length} to other tests`);
    await tryAll(first, files);
  };
  await Promise.all([quickly(), tryAll(second, others)]);
  console.log(
    `\n${selected.length} mutants, ${survivors.length} survived${survivors.map((sql) => `\n  ${sql}`).join('')}`,
  );
} finally {
  await Promise.all([first.close(), second.close()]);
}
process.exit(survivors.length === 0 ? 0 : 1);
