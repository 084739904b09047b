import { defineConfig } from '@playwright/test';

// The server is started by `cargo xtask browser`, which says where it is and which browser to use.
export default defineConfig({
  testDir: 'browser',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    baseURL: process.env['LINSTOCK_URL'] ?? 'http://127.0.0.1:8088',
    browserName: 'chromium',
    actionTimeout: 10_000,
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A name as of another computer in the network: no secure context.
        '--host-resolver-rules=MAP linstock.test 127.0.0.1',
      ],
    },
  },
});
