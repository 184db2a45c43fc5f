import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generateTypescript, sortGeneratorMetadata } from '@supabase/postgrest-typegen/generation';
import { introspect } from '@supabase/postgrest-typegen/introspection';
import {
  ArrowDown,
  ArrowRight,
  ArrowUp,
  Award,
  BadgeCheck,
  Ban,
  Bookmark,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  CircleAlert,
  CircleX,
  Clock,
  CornerDownRight,
  EyeOff,
  FileText,
  Flag,
  Heart,
  LayoutGrid,
  List,
  LoaderCircle,
  Lock,
  LockOpen,
  type LucideIcon,
  Mail,
  Maximize2,
  Menu,
  MessageSquare,
  MessagesSquare,
  Monitor,
  Moon,
  OctagonAlert,
  Pencil,
  Pin,
  PinOff,
  Play,
  Plus,
  Printer,
  Quote,
  RotateCw,
  Search,
  SearchX,
  Share2,
  SlidersHorizontal,
  Sun,
  Trash2,
  TriangleAlert,
  UserRound,
  X,
} from 'lucide-react';
import pg from 'pg';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { badgeSigns } from '#app/frame/members/badge-signs.ts';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import { dark, light } from '#app/ui/tokens.ts';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { migrate } from '#backend/database/migrate.ts';
import { startPostgres } from '#backend/database/postgres.ts';
import { authEmails } from '../../supabase/emails/auth-emails.ts';
import { schemaSql } from './schema-sql.ts';

// Makes every generated file. With --check it writes nothing and names those that are stale.

const root = resolve(import.meta.dirname, '../..');

/** TypeScript types of everything the API serves, as `supabase gen types` makes them. */
const databaseTypes = async (pool: pg.Pool): Promise<string> =>
  generateTypescript(sortGeneratorMetadata(await introspect(pool, { includedSchemas: ['public'] })), {
    postgrestVersion: '14',
    detectOneToOneRelationships: true,
  });

/** The measures in which outcomes can be given, for the form, which then needs no question to the API, and their names for filters. */
async function measureFiles(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query(
    `select abbreviation, name, construct, limb, ages, unit, minimum::float, maximum::float, is_open as "isOpen", decimals, direction
     from public.outcome_measures order by position`,
  );
  const lines = rows.map((row) => `  ${JSON.stringify(row)},\n`).join('');
  const made = '/* Made by "npm run generate" from the table outcome_measures. */\n';
  const names = rows.map(({ abbreviation }) => abbreviation);
  const limbs = Object.fromEntries(rows.map(({ abbreviation, limb }) => [abbreviation, limb]));
  return {
    'app/solution/outcomes/abbreviations.ts': `${made}export const abbreviations: readonly string[] = ${JSON.stringify(names)};\n/** The limb that each is for. */\nexport const measureLimbs: Record<string, 'lower' | 'upper' | 'both'> = ${JSON.stringify(limbs)};\n`,
    'app/solution/outcomes/measures.ts': `${made}import type { Measure } from './measure.ts';\n\nexport const measures: readonly Measure[] = [\n${lines}];\n`,
  };
}

/** The files generated from the migrations, read from a new database that has only them. */
async function migratedFiles(): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'limb-commons-'));
  // PostgreSQL may run under another account than the one that makes the folder.
  chmodSync(directory, 0o711);
  mkdirSync(join(directory, 'files'));
  const { databasePassword } = await readSecrets(directory, undefined);
  const postgres = await startPostgres(directory, databasePassword, { fsync: 'off' });
  try {
    await migrate(postgres.url, databasePassword, root);
    const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
    // A server that stops next may cut a connection that is still closing.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    try {
      return {
        'app/database.types.ts': await databaseTypes(pool),
        ...(await measureFiles(pool)),
        'supabase/schema.sql': await schemaSql(pool),
      };
    } finally {
      await pool.end();
    }
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const GENERATED = '/* Made by "npm run generate" from app/ui/tokens.ts. */\n';

function stylesheets(): Record<string, string> {
  const variables = (tokens: Record<string, string>) =>
    Object.entries(tokens)
      .map(([name, value]) => `  --${name}: ${value};\n`)
      .join('');
  const lightRule = `:root {\n  color-scheme: light;\n${variables(light)}}\n`;
  return {
    'app/ui/tokens.css': `${GENERATED}${lightRule}\n.dark {\n  color-scheme: dark;\n${variables(dark)}}\n`,
    'public/theme.css': `${GENERATED}${lightRule}\n@media (prefers-color-scheme: dark) {\n:root {\n  color-scheme: dark;\n${variables(dark)}}\n}\n`,
  };
}

/** The icons that are classes: those of pages that visitors open first. */
const ICONS: [className: string, icon: LucideIcon, lineWidth: number, fill?: string][] = [
  ['icon-again', RotateCw, 1.75],
  ['icon-alert', TriangleAlert, 2],
  ['icon-arrow-down', ArrowDown, 2],
  ['icon-arrow-right', ArrowRight, 2],
  ['icon-arrow-up', ArrowUp, 2],
  ['icon-award', Award, 2],
  ['icon-ban', Ban, 1.75],
  ['icon-bookmark', Bookmark, 1.75],
  ['icon-bookmark-full', Bookmark, 1.75, 'black'],
  ['icon-chevron-down', ChevronDown, 1.75],
  ['icon-chevron-left', ChevronLeft, 1.75],
  ['icon-chevron-right', ChevronRight, 1.75],
  ['icon-chevron-up', ChevronUp, 1.75],
  ['icon-clock', Clock, 1.75],
  ['icon-close', X, 1.75],
  ['icon-check', Check, 2],
  ['icon-checked', BadgeCheck, 2],
  ['icon-declared', UserRound, 2],
  ['icon-comment', MessageSquare, 1.75],
  ['icon-delete', Trash2, 1.75],
  ['icon-edit', Pencil, 2],
  ['icon-enlarge', Maximize2, 1.75],
  ['icon-failed', CircleAlert, 1.75],
  ['icon-file', FileText, 1.5],
  ['icon-filters', SlidersHorizontal, 1.75],
  ['icon-grid', LayoutGrid, 1.75],
  ['icon-heart', Heart, 1.75],
  ['icon-heart-full', Heart, 1.75, 'black'],
  ['icon-hidden', EyeOff, 1.75],
  ['icon-list', List, 1.75],
  ['icon-lock', Lock, 2],
  ['icon-mail', Mail, 1.75],
  ['icon-menu', Menu, 1.75],
  ['icon-messages', MessagesSquare, 1.75],
  ['icon-monitor', Monitor, 2],
  ['icon-moon', Moon, 2],
  ['icon-nothing', SearchX, 1.75],
  ['icon-pin', Pin, 2],
  ['icon-play', Play, 2],
  ['icon-plus', Plus, 2],
  ['icon-print', Printer, 1.75],
  ['icon-quote', Quote, 2],
  ['icon-recall', OctagonAlert, 1.75],
  ['icon-rejected', CircleX, 1.75],
  ['icon-reply', CornerDownRight, 2],
  ['icon-report', Flag, 1.75],
  ['icon-search', Search, 1.75],
  ['icon-share', Share2, 1.75],
  ['icon-spinner', LoaderCircle, 2],
  ['icon-sun', Sun, 2],
  ['icon-unlock', LockOpen, 2],
  ['icon-unpin', PinOff, 2],
];

/** The width and height of a drawing, and the space after it, which keeps its neighbour out of sight at any scale. */
const [EDGE, GAP] = [24, 8];

/**
 * A style sheet with one image of all drawings in a row, of which each class names a place; app/ui/components.css shows
 * them. Browsers parse each SVG image as a document of its own, so that thirty would delay the first paint.
 */
function iconStyles(): string {
  const icons = ICONS.map(([className, icon, strokeWidth, fill = 'none']) => ({
    className,
    strokeWidth,
    fill,
    lines: renderToStaticMarkup(createElement(icon))
      .replaceAll(/<svg[^>]*>|<\/svg>/g, '')
      .replaceAll(/><\/\w+>/g, '/>'),
  }));
  const levels = Object.values(levelSigns).map(({ className, there, missing }) => ({
    className,
    strokeWidth: 4,
    fill: 'none',
    lines: `<path d="${there}"/><path d="${missing}" opacity=".3"/>`,
  }));
  const badges = Object.values(badgeSigns).map(({ className, silhouette }) => ({
    className,
    strokeWidth: 0,
    fill: 'black',
    lines: `<path fill-rule="evenodd" d="${silhouette}"/>`,
  }));
  const drawings = [...icons, ...levels, ...badges];
  const width = drawings.length * (EDGE + GAP) - GAP;
  const row = drawings.map(
    ({ strokeWidth, fill, lines }, index) =>
      `<g fill="${fill}" stroke-width="${strokeWidth}" transform="translate(${index * (EDGE + GAP)})">${lines}</g>`,
  );
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${EDGE}" stroke="black" stroke-linecap="round" stroke-linejoin="round">${row.join('')}</svg>`;
  const url = image.replaceAll('"', "'").replaceAll('<', '%3C').replaceAll('>', '%3E');
  const places = drawings.map(({ className }, index) => {
    const place = (index / (drawings.length - 1)) * 100;
    return `.${className} {\n  --place: ${Number(place.toFixed(4))}%;\n}\n`;
  });
  const sources =
    "Lucide's drawings, app/solution/solutions/amputation-level-signs.ts and app/frame/members/badge-signs.ts";
  const variables = `  --drawings: url("data:image/svg+xml,${url}");\n  --drawings-width: ${Number(((width / EDGE) * 100).toFixed(4))}%;\n`;
  return `/* Made by "npm run generate" from ${sources}. */\n:root {\n${variables}}\n${places.join('')}`;
}

/** The badges as images of their own, for whatever shows `badges.icon_url`; a dot for each tier below the sign. */
function badgeImages(): Record<string, string> {
  const image = (silhouette: string, tier: number) => {
    const dots = Array.from({ length: tier }, (_, index) => 24 + (index - (tier - 1) / 2) * 8);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48"><circle cx="24" cy="24" r="23" fill="${light['accent-soft']}" stroke="${light.accent}" stroke-width="2"/><g fill="${light['accent-ink']}"><path transform="translate(12 7)" fill-rule="evenodd" d="${silhouette}"/>${dots.map((x) => `<circle cx="${x}" cy="38" r="2.5"/>`).join('')}</g></svg>\n`;
  };
  return Object.fromEntries(
    Object.entries(badgeSigns).flatMap(([cause, { silhouette }]) =>
      [1, 2, 3].map((tier) => [`public/badges/${cause}-${tier}.svg`, image(silhouette, tier)]),
    ),
  );
}

const templates = Object.entries(authEmails).map(([name, text]) => [`supabase/templates/${name}.html`, text]);
const files: Record<string, string> = {
  ...(await migratedFiles()),
  ...stylesheets(),
  'app/ui/icons.css': iconStyles(),
  ...badgeImages(),
  ...Object.fromEntries(templates),
};
const stale = Object.entries(files).filter(([path, text]) => {
  const file = join(root, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is not what its sources give; run "npm run generate".`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const [path, text] of stale) writeFileSync(join(root, path), text);
  console.log(stale.length > 0 ? `Written: ${stale.map(([path]) => path).join(', ')}` : 'All is up to date.');
}
