import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';

const VAL = '4e110000-0000-4000-8000-000000000001';
const RUN = '40400000-0000-4000-8000-000000000001';
const MISSING = 'deadbeef-0000-4000-8000-000000000000';

/** Each privacy of a val. The routes that anyone may read are in the cases of conformance. */
test.each([
  `DELETE /v1/vals/${VAL}`,
  `PUT /v1/vals/${VAL}`,
  `POST /v1/vals/${VAL}/versions`,
  `DELETE /v1/vals/${VAL}/versions/0`,
  `GET /v1/vals/${VAL}/runs`,
  `GET /v1/runs/${RUN}`,
  `POST /v1/vals/${VAL}/evaluations/${RUN}/cancel`,
])("%s responds alike for another user's val and for an unknown one", async (request) => {
  for (const privacy of ['public', 'unlisted', 'private'] as const) {
    const emulator = await emulate({
      users: [{ username: 'ada' }, { username: 'bob' }],
      vals: [{ author: 'ada', name: 'hello', id: VAL, code: 'one', privacy }],
      versions: [{ val: 'ada/hello', code: 'zero' }],
      runs: [{ val: 'ada/hello', id: RUN, runEndAt: null }],
    });
    const before = emulator.state();
    const [method = '', path = ''] = request.split(' ');
    const send = async (target: string) => {
      const headers = { authorization: 'Bearer bob-token', 'content-type': 'application/json' };
      const body = method === 'GET' ? undefined : '{"name":"fresh","code":"two"}';
      const response = await emulator.fetch(target, { method, headers, ...(body && { body }) });
      return [response.status, await response.text(), [...response.headers]];
    };

    const hidden = await send(path);
    const missing = await send(path.includes(VAL) ? path.replace(VAL, MISSING) : path.replace(RUN, MISSING));

    expect(hidden[0]).toBe(404);
    expect(hidden).toStrictEqual(missing);
    expect(emulator.state()).toStrictEqual(before);
  }
});
