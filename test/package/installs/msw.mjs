import assert from 'node:assert/strict';
import { setupServer } from 'msw/node';
import { createEmulator } from 'val-emulator';
import { handlers } from 'val-emulator/msw';

async function main() {
  const emulator = await createEmulator({ listen: false });
  const server = setupServer(...handlers(emulator));
  server.listen({ onUnhandledRequest: 'error' });
  const response = await fetch('https://api.val.town/v1/me', { headers: { authorization: 'Bearer ada-token' } });
  assert.equal((await response.json()).username, 'ada');
  server.close();
  await emulator.close();
  console.log('passed');
}
main();
