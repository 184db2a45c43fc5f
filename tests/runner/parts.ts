import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Part {
  /** Files, and folders with all below them. */
  folders: string[];
  tests: string[];
  /** Whether so little of the rest can break them, at such a price, that also a run of all tests leaves them out where nothing differs. */
  isSettled?: boolean;
}

/**
 * The parts of the second tier: at a change of these folders, or of the tests themselves, `npm test` runs the tests too. Each file
 * with tests of the second tier is in a part, as tests/codebase/tiers.unit.test.ts holds.
 */
export const PARTS: Record<string, Part> = {
  upgrade: {
    folders: [
      'server',
      'backend',
      'scripts/package',
      'scripts/run.mjs',
      'package-lock.json',
      'supabase/migrations',
      'tests/operation/site.ts',
    ],
    tests: ['tests/upgrade'],
    isSettled: true,
  },
  backup: {
    folders: ['server/backup', 'scripts/operator'],
    tests: ['archiving', 'backup', 'bucket', 'disk'].map((name) => `tests/operation/${name}.test.ts`),
  },
  operation: {
    folders: ['server', 'deploy', 'scripts/run.mjs', 'package-lock.json'],
    tests: ['tests/operation', 'tests/e2e/journeys/upgrade.test.ts'],
  },
  firstChange: {
    folders: [
      'CONTRIBUTING.md',
      'app/solution/solutions/value-lists.ts',
      'scripts/generate',
      'supabase/migrations',
      'tests/policies/schema/constraints.test.ts',
      'tests/policies/solutions/versions.test.ts',
    ],
    tests: ['tests/operation/first-change.test.ts'],
    isSettled: true,
  },
  migrations: {
    folders: ['supabase/migrations', 'backend/sql', 'backend/database'],
    tests: ['tests/portability', 'tests/scale', 'tests/upgrade/upgrade.test.ts'],
  },
  services: {
    folders: ['backend/auth', 'backend/rest', 'backend/realtime', 'backend/http', 'backend/mail'],
    tests: ['tests/conformance', 'tests/fuzz'],
  },
  storage: {
    folders: ['backend/storage', 'backend/files', 'backend/functions', 'supabase/functions'],
    tests: [
      'tests/conformance/storage',
      'tests/conformance/functions',
      'tests/conformance/decisions-crash.test.ts',
    ],
  },
  demo: {
    folders: ['supabase/seed', 'supabase/functions/seed-demo-data', 'supabase/migrations'],
    tests: ['tests/conformance/functions/seed.test.ts'],
    isSettled: true,
  },
  models: {
    folders: ['media', 'package-lock.json', 'tests/media/step-models.ts', 'tests/media/models.ts'],
    tests: ['tests/media/step-models.test.ts', 'tests/media/models/kept-models.test.ts'],
    isSettled: true,
  },
  media: {
    folders: ['media'],
    tests: ['tests/media', 'tests/fuzz/build-files.unit.test.ts', 'tests/fuzz/parsers.unit.test.ts'],
  },
  languages: { folders: ['texts'], tests: ['tests/e2e/every-page/interface-languages.test.ts'] },
  sentences: { folders: ['texts', 'app'], tests: ['tests/codebase/interface-texts.unit.test.ts'] },
  richText: { folders: ['app/ui/texts'], tests: ['app/ui/texts/rich-text-body.unit.test.tsx'] },
  offline: {
    folders: ['app/frame/offline', 'app/sharing/outbox'],
    tests: [
      'tests/e2e/offline.test.ts',
      'tests/e2e/journeys/saving-data.test.ts',
      'tests/e2e/share/share.test.ts',
    ],
  },
  account: { folders: ['app/account'], tests: ['tests/e2e/accounts'] },
  community: {
    folders: ['app/community'],
    tests: [
      'forum.test.ts',
      'messages.test.ts',
      'journeys/first-posts.test.ts',
      'journeys/post-images.test.ts',
    ].map((name) => `tests/e2e/${name}`),
  },
  moderation: {
    folders: ['app/moderation'],
    tests: ['tests/e2e/admin.test.ts', 'tests/e2e/removal-requests-and-notices.test.ts'],
  },
  sharing: { folders: ['app/sharing'], tests: ['tests/e2e/share', 'tests/e2e/first-solution.test.ts'] },
  findingAndReading: {
    folders: ['app/finding', 'app/solution', 'app/people', 'app/site-pages'],
    tests: ['tests/e2e/journeys', 'tests/e2e/every-page/reading.test.ts'].concat(
      ['browse', 'first-solution', 'hosted-supabase', 'open-data', 'pages'].map(
        (name) => `tests/e2e/${name}.test.ts`,
      ),
    ),
  },
  everyPage: {
    folders: ['app/ui', 'app/frame', 'app/routes.ts', 'app/root.tsx'],
    tests: ['tests/e2e/every-page'],
  },
};

/** What a green run of all tests leaves: a hash over all sources, and one over each part's. */
const RECORD = 'tests/runner/last-all.json';
/** What such a run writes is no source, nor is the text for people: a version gets its date when its tests have passed. */
const NO_SOURCES = [RECORD, 'tests/runner/budget.json', 'CHANGELOG.md'];

interface Hashes {
  all: string;
  parts: Record<string, string>;
}

/** Whether a path is one of these, or below one. */
export const isIn = (path: string, places: string[]): boolean =>
  places.some((place) => path === place || path.startsWith(`${place}/`));

/** The hashes of the sources as they are now; undefined where git does not say which files are sources. */
function hashesNow(root: string): Hashes | undefined {
  const { stdout, status } = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  if (status !== 0) return undefined;
  const lines = [...new Set(stdout.split('\0'))]
    .filter((path) => path && !NO_SOURCES.includes(path) && existsSync(join(root, path)))
    .sort()
    .map((path) => ({
      path,
      hash: createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    }));
  const hashOf = (places?: string[]) => {
    const hash = createHash('sha256');
    for (const { path, hash: own } of lines)
      if (!places || isIn(path, places)) hash.update(`${path} ${own}\n`);
    return hash.digest('hex');
  };
  const parts = Object.entries(PARTS).map(([name, { folders, tests }]) => [
    name,
    hashOf([...folders, ...tests]),
  ]);
  return { all: hashOf(), parts: Object.fromEntries(parts) };
}

const recorded = (root: string): Hashes | undefined =>
  existsSync(join(root, RECORD)) ? JSON.parse(readFileSync(join(root, RECORD), 'utf8')) : undefined;

/** The parts whose folders differ from those of the last run of all tests; undefined where that cannot be said. */
export function touchedParts(root: string): string[] | undefined {
  const [before, now] = [recorded(root), hashesNow(root)];
  return before && now && Object.keys(PARTS).filter((part) => before.parts[part] !== now.parts[part]);
}

/** Where the tests of settled parts are: of all, or of those of which a run of all tests leaves them out. */
export function settledPlaces(root?: string): string[] {
  const touched = root ? (touchedParts(root) ?? Object.keys(PARTS)) : [];
  return Object.entries(PARTS).flatMap(([name, { isSettled, tests }]) =>
    isSettled && !touched.includes(name) ? tests : [],
  );
}

/** Whether all tests have passed on exactly these sources. */
export const isRecorded = (root: string): boolean => {
  const now = hashesNow(root);
  return now !== undefined && recorded(root)?.all === now.all;
};

/** Remembers that all tests have passed on these sources. */
export const recordWhole = (root: string): void =>
  writeFileSync(join(root, RECORD), `${JSON.stringify(hashesNow(root), null, 2)}\n`);
