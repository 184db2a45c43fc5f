import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // A drawing inlined into the stylesheet or a chunk would be paid for by pages that do not show it.
  build: { assetsInlineLimit: 0, target: 'es2022' },
});
