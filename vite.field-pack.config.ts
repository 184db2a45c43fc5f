import { join } from 'node:path';
import { defineConfig } from 'vite';
import { interfaceTexts } from './texts/plugin.ts';

/** The page of a field pack is one script and one stylesheet, since a page from a disk loads no modules. */
export default defineConfig({
  plugins: [interfaceTexts()],
  publicDir: false,
  build: {
    outDir: join(process.env.BUILD_DIRECTORY ?? 'build', 'client', 'field-pack'),
    target: 'es2022',
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'app/finding/field-pack/viewer.ts',
      output: { format: 'iife', entryFileNames: 'viewer.js', assetFileNames: 'viewer[extname]' },
    },
  },
});
