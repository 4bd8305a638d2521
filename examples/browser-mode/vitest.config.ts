import { existsSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

// A Chromium of the system, if there is one. Else Playwright's own: npx playwright install chromium
const installed = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const launchOptions = existsSync(installed) ? { executablePath: installed, args: ['--no-sandbox'] } : {};

export default defineConfig({
  test: {
    globalSetup: 'test/setup.ts',
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
