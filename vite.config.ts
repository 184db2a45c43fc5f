import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** Makes the site load its chunks by app/ui/states/load-chunk.ts, where Vite would use its helper. */
const loadChunks: Plugin = {
  name: 'load-chunks',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { loadChunk as __vitePreload } from ${JSON.stringify(join(import.meta.dirname, 'app/ui/states/load-chunk.ts'))};`
      : null,
};

export default defineConfig(({ command }) => ({
  plugins: [loadChunks, tailwindcss(), reactRouter()],
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
                // On a slow line thirty small files cost more than their bytes: the modules that every first
                // view needs are one.
                {
                  name: 'shell',
                  test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\/|rolldown\/runtime|\/app\/(root|entry\.client|session|realtime|require-sign-in|supabase|file-url|site|errors|query-client)\.tsx?|\/app\/context\/(nonce|page-data)\.tsx?|\/app\/cookies\/cookie-(banner|choice)\.tsx?|\/app\/layout\/(?!user-menu|og-image)|\/app\/ui\/(avatar|badge|button|chip|classes|dates|empty-state|input|links|load-chunk|load-failed-line|next-page|reader-stays|relative-time|rich-text|search-input|segmented-control|skeleton|toast|uuid)\.tsx?|\/app\/members\/(registration-badge|names)\.tsx?|\/app\/solutions\/(card-picture|solution-card|amputation-level-signs|safety-notice-kinds|filters|options)\.tsx?/,
                },
                { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
                // The modules on which menus, dialogs, tabs and choices are built: small files that come
                // together.
                {
                  name: 'primitives',
                  test: /node_modules\/@radix-ui\/(primitive|react-(slot|compose-refs|context|primitive|presence|collection|roving-focus|direction|id|use-[a-z-]+))\//,
                  minShareCount: 2,
                },
                // What cards stand on, and what a case stands on, for the same reason.
                {
                  name: 'cards',
                  test: /\/app\/(solutions\/(data|private-files)|lineage\/data|build-files\/build-file|fabrication\/fabrication|outcomes\/outcome|collections\/(data|card-saves)|members\/badge-signs|withdrawals\/(data|delete-solution))\.tsx?/,
                },
                {
                  name: 'case',
                  test: /\/app\/(outcomes\/(change|measure|outcome-picture|solution-outcomes)|trials\/(data|results|trial-text)|fabrication\/fabrication-view|build-files\/kinds|media-viewer\/(gallery|media-description)|solution-page\/details-card|solutions\/solution-text|solution-files\/solution-files|audience\/data|withdrawals\/withdrawn-notice|printing\/printed-address)\.tsx?/,
                },
              ],
            },
          },
        },
      },
    },
  },
}));
