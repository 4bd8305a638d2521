import { createEmulator } from 'val-emulator';
import { expect, test } from 'val-emulator/vitest';
import { USED, use } from './use.cjs';

test('has a sandbox', async ({ emulator }) => {
  expect(await use(emulator)).toEqual(USED);
  expect(emulator).toHaveReceived('GET /v1/me', { times: 1 });
});

test('closes an emulator by `await using`', async () => {
  const urls: string[] = [];
  {
    await using emulator = await createEmulator();
    urls.push(emulator.url);
    expect((await fetch(`${emulator.url}/_emulator/health`)).status).toBe(200);
  }
  await expect(fetch(String(urls[0]))).rejects.toThrow();
});
