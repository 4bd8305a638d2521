import { expect, test } from 'val-emulator/playwright';

test('has a sandbox beside the page', async ({ page, emulator, apiUrl }) => {
  await page.goto(apiUrl);
  expect(emulator).toHaveReceived('POST /v1/vals', { times: 1 });
  // @ts-expect-error: there is no such member
  emulator.nothing;
});
