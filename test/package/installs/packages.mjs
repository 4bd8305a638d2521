import request from 'supertest';
import { createEmulator } from 'val-emulator';

/** Uses CommonJS packages: Express with a route of the caller, and supertest. */
async function main() {
  const emulator = await createEmulator({ listen: false });
  emulator.app.use('/hook', (_request, response) => response.send('hooked'));
  const hook = await request(emulator.app).get('/hook');
  const me = await request(emulator.app).get('/v1/me').set('authorization', 'Bearer ada-token');
  console.log(hook.text, me.body.username);
  await emulator.close();
}
main();
