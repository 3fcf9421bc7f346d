import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The server serves what is built here. While working on the screens: `npm run dev`, with a venue running beside it.
const server = 'http://127.0.0.1:8909';

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  build: {
    outDir: '../natural9/server/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy lets nothing inline through
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': { target: server },
      '/ws': { target: server, ws: true },
    },
  },
  test: { environment: 'jsdom', isolate: false, include: ['src/**/*.test.ts'] },
  // Under test, too, Svelte is the browser's, so that a part of a screen can be drawn.
  ...(mode === 'test' ? { resolve: { conditions: ['browser', 'module', 'import', 'default'] } } : {}),
}));
