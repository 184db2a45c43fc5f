import { join } from 'node:path';
import { defineConfig } from 'vite';
import { interfaceTexts } from './texts/plugin.ts';

/** The service worker is one script at a fixed address, apart from the pages' chunks. */
export default defineConfig({
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [interfaceTexts()],
  publicDir: false,
  build: {
    outDir: join(process.env.BUILD_DIRECTORY ?? 'build', 'client'),
    emptyOutDir: false,
    target: 'es2022',
    rolldownOptions: {
      input: 'app/frame/offline/service-worker.ts',
      output: { format: 'iife', entryFileNames: 'service-worker.js' },
    },
  },
});
