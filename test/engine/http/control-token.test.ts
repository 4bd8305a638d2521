import { expect, onTestFinished, test, vi } from 'vitest';
import type { EmulatorOptions } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const TOKEN = 's3cret-token';

const serve = (options: EmulatorOptions = { controlToken: TOKEN }) =>
  emulate({ users: [{ username: 'ada' }] }, options);
type Served = Awaited<ReturnType<typeof serve>>;

/** Sets the clock of the system forward. */
function pass(milliseconds: number): void {
  const time = Date.now() + milliseconds;
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  onTestFinished(() => void vi.useRealTimers());
}

const NO_CONTROL = { Host: 'evil.test' };
const attempt = (emulator: Served, token: string, body = '') =>
  as(emulator)
    .post('/_emulator/reset')
    .set({ ...NO_CONTROL, 'X-Emulator-Control-Token': token, 'Content-Type': 'application/json' })
    .send(body);
const LIMITED = { statusCode: 429, message: 'Too many wrong control tokens (10 a minute). Try again in 60 seconds.' };

test('an address that sends ten wrong tokens gets a 429 for a minute, also with the right one', async () => {
  pass(0);
  const emulator = await serve();
  // Bodies, which are read after a first look at the token, do not count twice.
  for (let i = 0; i < 10; i++) expect((await attempt(emulator, `wrong-${i}`, '{}')).status).toBe(403);

  const refused = await attempt(emulator, TOKEN);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
  expect(refused.body).toMatchObject(LIMITED);
  expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
  // What needs no token is not limited.
  const near = { 'X-Emulator-Control-Token': 'wrong' };
  expect((await as(emulator).post('/_emulator/reset').set(near)).status).toBe(200);
  for (const path of ['/_emulator/health', '/_emulator/ready'])
    expect(
      (
        await as(emulator)
          .get(path)
          .set({ ...NO_CONTROL, ...near })
      ).status,
    ).toBe(200);

  pass(60_000);
  expect((await attempt(emulator, TOKEN)).status).toBe(200);
});

test('the right token resets the count', async () => {
  const emulator = await serve();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 9; i++) expect((await attempt(emulator, 'wrong-token')).status).toBe(403);
    expect((await attempt(emulator, TOKEN)).status).toBe(200);
  }
});
