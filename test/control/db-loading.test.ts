import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { as, emulate } from '../support/emulate.js';

/** Files of json-server in this process, which runs nothing but this test. It is CommonJS, so they are all listed. */
const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('/node_modules/json-server/lib/'));

test('json-server is loaded by the first request to the data browser, and by nothing before', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  await as(emulator, 'ada').get('/v1/me').expect(200);
  await as(emulator).get('/_emulator/state').expect(200);
  await as(emulator).get('/_emulator/database').expect(404);
  expect(loaded()).toEqual([]);

  await as(emulator).get('/_emulator/db/users').expect(200);
  expect(loaded()).not.toEqual([]);
});
