import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import type { EmulatorFixtureOptions } from 'val-emulator/playwright';

// The system's Chromium, so that nothing has to be downloaded. Where there is none, Playwright looks for its own.
const executablePath =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export default defineConfig<EmulatorFixtureOptions>({
  testDir: 'test',
  fullyParallel: true,
  use: {
    // Where site/page.js looks for the API.
    apiUrl: 'https://api.val.town',
    baseURL: 'https://app.example',
    launchOptions: executablePath ? { executablePath } : {},
  },
});
