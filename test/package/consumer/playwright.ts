import { type EmulatorOptions, expect, type Sandbox, test } from 'val-emulator/playwright';

const emulatorOptions: EmulatorOptions = { fixtures: 'empty' };
test.use({ apiUrl: 'https://api.example.test', emulatorOptions });

test('has a sandbox beside the page', async ({ page, emulator, apiUrl }) => {
  const sandbox: Sandbox = emulator;
  await page.goto(apiUrl);
  expect(sandbox.requests()).toHaveLength(1);
  // @ts-expect-error: there is no such member
  emulator.nothing;
});
