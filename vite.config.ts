import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { interfaceTexts } from './texts/plugin.ts';

/** Makes the site load its chunks by app/ui/states/load-chunk.ts, where Vite would use its helper. */
const loadChunks: Plugin = {
  name: 'load-chunks',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { loadChunk as __vitePreload } from ${JSON.stringify(join(import.meta.dirname, 'app/ui/states/load-chunk.ts'))};`
      : null,
};

const BASICS = [
  'frame/act/use-action.ts',
  'frame/layout/social-meta.ts',
  'frame/members/names.ts',
  'frame/members/registration-badge.tsx',
  'solution/comments/anchors.ts',
  'solution/outcomes/abbreviations.ts',
  'solution/solutions/private-files.ts',
  'solution/solutions/value-lists.ts',
  'ui/languages/interface-language.ts',
  'ui/languages/known-text.ts',
  'ui/states/next-page.ts',
  'ui/states/skeleton.tsx',
  'ui/surfaces/badge.tsx',
  'ui/texts/dates.ts',
  'ui/texts/uuid.ts',
];
const PARTS = [
  'frame/page/page-title.ts',
  'frame/page/pages.ts',
  'frame/members/author-name.tsx',
  'frame/members/member-avatar.tsx',
  'frame/act/use-fields.ts',
  'frame/act/use-confirmed-action.tsx',
  'frame/act/use-local-draft.ts',
  'solution/outcomes/change.ts',
  'solution/outcomes/measure.ts',
  'ui/controls/chip.tsx',
  'ui/controls/field.tsx',
  'ui/controls/input-method.ts',
  'ui/controls/input.tsx',
  'ui/controls/submit-once.ts',
  'ui/states/loading-rows.tsx',
  'ui/states/more-button.tsx',
  'ui/surfaces/banner.tsx',
  'ui/surfaces/empty-state.tsx',
  'ui/surfaces/lazy-confirm-dialog.ts',
  'ui/texts/links.ts',
  'ui/texts/relative-time.ts',
];
const MEMBERS = ['frame/members/data.ts', 'frame/members/use-sanction.ts'];
const OUTBOX = ['sharing/outbox/draft-key.ts', 'sharing/outbox/submitted.ts'];
const FOLLOWS = [
  'people/follows/data.ts',
  'people/follows/follow-button.tsx',
  'people/follows/use-change-follow.ts',
];
const CARDS = [
  'people/collections/card-saves.tsx',
  'people/collections/data.ts',
  'frame/members/badge-signs.ts',
  'solution/build-files/build-file.ts',
  'solution/fabrication/fabrication.ts',
  'solution/lineage/data.ts',
  'solution/outcomes/outcome.ts',
  'solution/solutions/amputation-level-signs.ts',
  'solution/cards/card-picture.tsx',
  'solution/solutions/data.ts',
  'solution/solutions/filters.ts',
  'solution/cards/highlight.tsx',
  'solution/warnings/safety-mark.tsx',
  'solution/warnings/safety-notice-kinds.ts',
  'solution/cards/solution-card.tsx',
  'solution/withdrawals/data.ts',
  'solution/withdrawals/delete-solution.tsx',
];
const CASE = [
  'people/collections/save-button.tsx',
  'frame/printing/printed-address.tsx',
  'sharing/trials/data.ts',
  'sharing/trials/trial-text.tsx',
  'solution/audience/data.ts',
  'solution/build-files/kinds.ts',
  'solution/fabrication/fabrication-view.tsx',
  'solution/file-viewer/solution-files.tsx',
  'solution/lineage/lineage.tsx',
  'solution/media-viewer/gallery.tsx',
  'solution/media-viewer/media-description.ts',
  'solution/outcomes/outcome-picture.tsx',
  'solution/outcomes/solution-outcomes.tsx',
  'solution/review/data.ts',
  'solution/review/review-banner.tsx',
  'finding/solution-page/details-card.tsx',
  'solution/solutions/solution-skeleton.tsx',
  'solution/solutions/solution-text.tsx',
  'solution/versions/version-list.tsx',
  'solution/withdrawals/withdrawn-notice.tsx',
];

/**
 * The modules of one file of the built site.
 *
 * @throws when one of them has moved: its list would have no effect any more, and nobody would notice
 */
function together(name: string, modules: string[]) {
  const files = new Set(modules.map((module) => join(import.meta.dirname, 'app', module)));
  for (const file of files)
    if (!existsSync(file)) throw new Error(`${file} is named in vite.config.ts and missing`);
  return { name, test: (id: string) => files.has(id) };
}

export default defineConfig(({ command }) => ({
  plugins: [loadChunks, interfaceTexts(), tailwindcss(), reactRouter()],
  // A drawing inlined into the stylesheet or a chunk would be paid for by pages that do not show it.
  build: { assetsInlineLimit: 0, target: 'es2022' },
  // One file loads quicker than seven hundred; a dependency with machine code or fonts stays a package.
  ssr: command === 'build' ? { noExternal: true, external: ['satori', 'sharp'] } : {},
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                // On a slow line thirty small files cost more than their bytes: what every first view needs is one.
                {
                  name: 'shell',
                  test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\/|\/app\/(root|entry\.client)\.tsx/,
                },
                { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
                // The modules on which menus, dialogs, tabs and choices are built: small files that come
                // together.
                {
                  name: 'primitives',
                  test: /node_modules\/@radix-ui\/(primitive|react-(slot|compose-refs|context|primitive|presence|collection|roving-focus|direction|id|use-[a-z-]+))\//,
                  minShareCount: 2,
                },
                // What home needs as well as all others, the small modules of these, what members are told, what they follow, cards, and
                // a case, for the same reason.
                together('basics', BASICS),
                together('parts', PARTS),
                together('members', MEMBERS),
                together('outbox', OUTBOX),
                together('follows', FOLLOWS),
                together('cards', CARDS),
                together('case', CASE),
              ],
            },
          },
        },
      },
    },
  },
}));
