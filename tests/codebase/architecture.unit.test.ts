import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** The page that describes the layout of the code; these tests compare it with the folders. */
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8').replaceAll(/\s+/g, ' ');
/** The page's text between two of its phrases. */
const between = (start: string, end: string) => page.split(start)[1]?.split(end)[0]?.trim() ?? '';
/** Groups of the site's nouns in the order of the page; each may import itself and those before it. */
const GROUPS = between('in the order in which groups may import each other:', '. ').split(', ');
/** Services of the backend; the other folders there are their foundations. */
const SERVICES = ['auth', 'rest', 'storage', 'realtime', 'functions'];
const FOUNDATIONS = ['crypto', 'database', 'files', 'http', 'mail', 'sql'];
/** Folders that may hold more than MAX_FILES, each with its reason. */
const LARGE_FOLDERS: Record<string, string> = {
  'docs/decisions': 'one record a decision',
  'supabase/migrations': 'one file a noun, in the order of use',
  'supabase/templates': 'one file an e-mail, as Supabase expects them',
};
const MAX_FILES = 16;

interface Source {
  path: string;
  text: string;
  /** Project files by their path, packages by their name. */
  imports: string[];
}

function sources(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(join(root, path), 'utf8');
      const imports = [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)'([^']+)'/g)].map(
        ([, target = '']) => {
          if (target.startsWith('.')) return relative(root, resolve(root, dirname(path), target));
          if (target.startsWith('#')) return target.slice(1);
          return target;
        },
      );
      return { path, text, imports };
    });
}

/** Files of the repository, and those that would be added. */
const trackedFiles = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((name) => name !== '' && existsSync(join(root, name)));

const app = sources('app');
const backend = sources('backend');
const server = sources('server');
const supabase = sources('supabase');
const media = sources('media');
const broken = (all: Source[], rule: (source: Source, target: string) => boolean) =>
  all.flatMap((source) =>
    source.imports
      .filter((target) => rule(source, target))
      .map((target) => `${source.path} imports ${target}`),
  );

describe('who imports whom', () => {
  it('a noun imports only ui, root files, its own group and groups before it', () => {
    const groupOf = (path: string) => /^app\/([^/]+)\//.exec(path)?.[1];
    const nouns = app.filter(({ path }) => !['ui', undefined].includes(groupOf(path)));
    expect(
      broken(nouns, ({ path }, target) => {
        const group = groupOf(target);
        return (
          group !== undefined &&
          group !== 'ui' &&
          !group.startsWith('+') &&
          GROUPS.indexOf(group) > GROUPS.indexOf(groupOf(path) ?? '')
        );
      }),
    ).toEqual([]);
    expect([...new Set(nouns.map(({ path }) => groupOf(path)))].toSorted()).toEqual(GROUPS.toSorted());
  });

  it('ui knows no noun and no client', () => {
    const ui = app.filter((source) => source.path.startsWith('app/ui/'));
    expect(
      broken(
        ui,
        (_source, target) =>
          (target.startsWith('app/') && !target.startsWith('app/ui/')) || target.startsWith('@supabase/'),
      ),
    ).toEqual([]);
  });

  it('only app/supabase.ts, app/session.ts and the server entry import the client library’s code', () => {
    const allowed = ['app/supabase.ts', 'app/session.ts', 'app/entry.server.tsx'];
    const others = app.filter(
      (source) =>
        !allowed.includes(source.path) && /^import (?!type )[^;]*'@supabase\/supabase-js'/m.test(source.text),
    );
    expect(others.map((source) => source.path)).toEqual([]);
  });

  it('every folder of the backend is a service or what services stand on', () => {
    const folders = readdirSync(join(root, 'backend'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.toSorted()).toEqual([...SERVICES, ...FOUNDATIONS].toSorted());
  });

  it('services never import each other, and no root file but app.ts imports a service', () => {
    const serviceOf = (path: string) => SERVICES.find((service) => path.startsWith(`backend/${service}/`));
    expect(
      broken(
        backend,
        (source, target) =>
          serviceOf(target) !== undefined &&
          serviceOf(source.path) !== serviceOf(target) &&
          source.path !== 'backend/app.ts',
      ),
    ).toEqual([]);
  });

  it('the Postgres driver’s code is imported by the files that the architecture page names', () => {
    const drivers = [...backend, ...server]
      .filter((source) => /^import (?!type )[^;]*'pg'/m.test(source.text))
      .map((source) => source.path);
    const named = [
      ...between('Of `backend/` and `server/`,', 'import the Postgres driver').matchAll(
        /[a-z-]+\/[a-z/.-]+\.ts/g,
      ),
    ];
    expect(drivers.toSorted()).toEqual(named.map(([path]) => path).toSorted());
  });

  it('the architecture page names every folder of the root', () => {
    const named = [...between('## Folders', 'The nouns of').matchAll(/`([a-z]+)\/`/g)].map(
      ([, name]) => name,
    );
    const folders = trackedFiles()
      .map((file) => /^([a-z]+)\//.exec(file)?.[1])
      .filter((name) => name !== undefined && name !== 'public');
    expect([...new Set(folders)].toSorted()).toEqual(named.toSorted());
  });

  it('the pages for developers name no file that is not there', () => {
    const files = trackedFiles();
    const pages = files.filter((file) => file.endsWith('.md'));
    const missing = pages.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql|md))`/g)]
        .map(([, path = '']) => path)
        .filter((path) => !files.some((each) => each === path || each.endsWith(`/${path}`)))
        .map((path) => `${file} names ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('the page of the specification names tests that there are', () => {
    const tests = trackedFiles().filter((file) => /\.test\.tsx?$/.test(file));
    const page = readFileSync(join(root, 'docs/specification.md'), 'utf8');
    const rows = [...page.matchAll(/`([\w./-]+\.test\.tsx?)`((?:,? "[^"]+")+)/g)];
    expect(rows.length).toBeGreaterThan(150);
    const missing = rows.flatMap(([, file = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)]
        .map(([, title = '']) => title)
        .filter((title) =>
          tests
            .filter((path) => `/${path}`.endsWith(`/${file}`))
            .every((path) => !readFileSync(join(root, path), 'utf8').includes(title)),
        )
        .map((title) => `${file} has no "${title}"`),
    );
    expect(missing).toEqual([]);
  });

  it('site, backend, functions and media do not import each other, and nothing imports the server', () => {
    // What first bytes say is the same where a file is chosen and where it arrives.
    expect(
      broken(
        app,
        (_source, target) => /^(backend|server|supabase|media)\//.test(target) && target !== 'media/sniff.ts',
      ),
    ).toEqual([]);
    expect(broken(backend, (_source, target) => /^(app|server|supabase)\//.test(target))).toEqual([]);
    // The texts and looks that the site shares with its emails and with what is taken along.
    const ofBoth = [
      'app/database.types.ts',
      'app/notice-types.ts',
      'app/site.ts',
      'app/ui/accent.ts',
      'app/ui/tokens.ts',
      'app/ui/languages/guess-language.ts',
      'app/ui/languages/languages.ts',
      'app/frame/kinds/notice-type.ts',
      'app/people/follows/news.ts',
      'app/frame/members/names.ts',
      'app/solution/build-files/text-licences.ts',
      'app/solution/citing/citation.ts',
      'app/solution/fabrication/fabrication.ts',
      'app/solution/lineage/data.ts',
      'app/solution/outcomes/measure.ts',
      'app/solution/outcomes/outcome.ts',
      'app/solution/warnings/safety-notice-kinds.ts',
      'app/solution/solutions/value-lists.ts',
      'app/solution/translations/texts.ts',
      'app/solution/versions/content-schema.ts',
      'app/ui/texts/csv.ts',
      'app/ui/texts/dates.ts',
      'app/ui/texts/uuid.ts',
    ];
    expect(
      broken(
        supabase,
        (_source, target) => /^(app|backend|server)\//.test(target) && !ofBoth.includes(target),
      ),
    ).toEqual([]);
    expect(broken(media, (_source, target) => /^(app|backend|server|supabase)\//.test(target))).toEqual([]);
    // The site's name, the types of the entry by which its pages are rendered, and the shape of what a page reads from this disk.
    const ofServer = ['app/site.ts', 'app/entry.server.tsx', 'app/finding/field-pack/offer.ts'];
    expect(
      broken(server, (_source, target) => target.startsWith('app/') && !ofServer.includes(target)),
    ).toEqual([]);
  });

  it('no file imports itself through others, neither values nor types', () => {
    const all = [...app, ...backend, ...server, ...supabase, ...media];
    const importsOf = new Map(all.map((source) => [source.path, source.imports]));
    const reaches = new Map<string, Set<string>>();
    for (const { path } of all) {
      const reached = new Set<string>();
      const waiting = [...(importsOf.get(path) ?? [])];
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        if (reached.has(next) || !importsOf.has(next)) continue;
        reached.add(next);
        waiting.push(...(importsOf.get(next) ?? []));
      }
      reaches.set(path, reached);
    }
    expect([...reaches].filter(([path, reached]) => reached.has(path)).map(([path]) => path)).toEqual([]);
  });

  it('conformance tests go through the client alone', () => {
    const black = [...sources('tests/conformance'), ...sources('tests/e2e')];
    expect(broken(black, (_source, target) => /^(app|backend|server)\//.test(target))).toEqual([
      // The steps of a removal, which are the site's own, and go through the client.
      'tests/conformance/decisions-crash.test.ts imports app/moderation/reports/report-actions.ts',
      'tests/conformance/decisions-crash.test.ts imports app/solution/solutions/kind.ts',
      // The pages that there are, so that a new one is tried without being named.
      'tests/e2e/every-page/readers.test.ts imports app/routes.ts',
    ]);
  });
});

describe('the code base', () => {
  it('has no folder or file named after nothing, or other than in kebab-case', () => {
    const badly = [...app, ...backend, ...server, ...supabase, ...media].filter(({ path }) =>
      /(^|\/)(utils?|helpers?|lib|shared|common|misc|types)(\/|\.tsx?$)|[^a-z0-9./-]/.test(path),
    );
    expect(badly.map(({ path }) => path)).toEqual([]);
  });

  it('cuts each text by letters, with one function', () => {
    // Short ones are dates and parts of hashes.
    const cut = /\.(?:slice|substring|substr)\(\s*0,\s*(?:[A-Z][A-Z_]+|3[3-9]|[4-9]\d|[\d_]{3,})\b/;
    const lists = [
      'app/finding/evidence/measure-view.tsx',
      'app/finding/field-pack/search.ts',
      'app/moderation/storage-usage/data.ts',
      'backend/auth/passwords.ts',
      'backend/auth/saml/acs.ts',
      'backend/realtime/subscriptions.ts',
      'backend/rest/schema/relationships.ts',
      'server/earlier-assets.ts',
      'server/upgrade/compare.ts',
      'supabase/functions/process-mail-jobs/render-email.ts',
    ];
    const others = [
      // The first bytes of a file.
      'app/solution/solutions/form-schema.ts',
      // Hashes and names of digits.
      'server/backup/continuous/log-restore.ts',
      'server/backup/continuous/log-shipping.ts',
      // As the database cuts it, whose key it must be.
      'app/finding/field-pack/part-key.ts',
    ];
    const cutting = [...app, ...backend, ...server, ...supabase, ...media]
      .filter(({ path, text }) => cut.test(text) && !/\.test\.tsx?$/.test(path))
      .map(({ path }) => path);
    expect(cutting.toSorted()).toEqual([...lists, ...others].toSorted());
  });

  it('has on disk what takes the place of a file, before it does', () => {
    const written = /(?:writeFile(?:Sync)?|createWriteStream)\([^;]*?\.new['`][^;]*;/g;
    const statements = trackedFiles()
      .filter((path) => /^(backend|server|scripts)\/.*\.(ts|mjs)$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(written)].map(([statement]) => ({
          path,
          statement,
        })),
      );
    expect(statements.filter(({ statement }) => !statement.includes('flush: true'))).toEqual([]);
    // But for streams, one module does it for all.
    const [whole, streams] = ['backend/files/replace-file.mjs', 'createWriteStream'];
    expect(
      statements.filter(({ path, statement }) => path !== whole && !statement.startsWith(streams)),
    ).toEqual([]);
  });

  it('acts on no Enter in a field that ends the word of an input method', () => {
    const acting = app.filter(
      ({ path, text }) =>
        !path.includes('.test.') &&
        text
          .split('\n')
          // Together with another key it is no word's end, and where it only would send the form, the browser knows.
          .some((line) => line.includes("'Enter'") && !/(ctrl|alt)Key|&& event.preventDefault/.test(line)),
    );
    expect(acting.length).toBeGreaterThan(2);
    expect(
      acting.filter(({ text }) => !text.includes('isOfInputMethod(event)')).map(({ path }) => path),
    ).toEqual([
      // Alt and a key, in the whole page.
      'app/moderation/review-queue/review-queue.tsx',
    ]);
  });

  it('has no dialog with fields that is not a form, which Enter sends', () => {
    const withFields = app.filter(
      ({ path, text }) =>
        path !== 'app/ui/surfaces/dialog.tsx' &&
        /<Dialog\b/.test(text) &&
        /<(Input|Textarea|Radio|Checkbox|Select|PasswordInput)\b/.test(text),
    );
    expect(withFields.length).toBeGreaterThan(5);
    // The link of this one is there to be copied.
    const shown = ['app/finding/solution-page/share-dialog.tsx'];
    expect(
      withFields
        .filter(({ path, text }) => !shown.includes(path) && !text.includes('onSubmit'))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('has at most sixteen files in a folder, but for the ones that are named', () => {
    const counts = new Map<string, number>();
    for (const file of trackedFiles()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const large = [...counts].filter(([folder, count]) => folder !== '.' && count > MAX_FILES);
    expect(large.map(([folder]) => folder).filter((folder) => !(folder in LARGE_FOLDERS))).toEqual([]);
  });

  it('has at most twelve folders at the top of the site', () => {
    const folders = new Set(trackedFiles().map((file) => /^app\/([^/]+)\//.exec(file)?.[1]));
    expect(folders.size - 1).toBeLessThanOrEqual(12);
  });

  it('says of each dependency why it is there, and lets none run a script at its installation', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const records = join(root, 'docs/decisions');
    const reasons = readdirSync(records)
      .map((file) => readFileSync(join(records, file), 'utf8'))
      .join();
    expect(
      Object.keys({ ...dependencies, ...devDependencies })
        .filter((name) => !name.startsWith('@types/') && !reasons.includes(`\`${name}\``))
        .map((name) => `${name} has no reason in docs/decisions`),
    ).toEqual([]);
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });
});
