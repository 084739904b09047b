import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  // What is in browser/ is played by Playwright.
  test: { include: ['src/**/*.test.ts'] },
  // The server answers pages of its own origin alone: it hears the one the browser asked.
  server: {
    proxy: {
      '/api': { target: 'http://127.0.0.1:8088', changeOrigin: false },
      '/sheets': 'http://127.0.0.1:8088',
    },
  },
});
