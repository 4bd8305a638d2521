import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LocalResponse } from '../../src/http/local-response.js';

const BODY = '{"name":"grüße"}';
const INIT = { status: 201, headers: { 'content-type': 'application/json', 'x-extra': '1' } };

const local = (url = '') => new LocalResponse(BODY, url, INIT.status, INIT.headers);

/** What a program may do with a response, each told by what comes of it. */
const uses: Readonly<Record<string, (response: Response) => unknown>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => Buffer.from(await response.arrayBuffer()).toString(),
  blob: async (response) => (await response.blob()).text(),
  stream: (response) => (response.body ? textOf(response.body) : null),
  'text of a clone': (response) => response.clone().text(),
  'status and headers of a clone': (response) => {
    const { status, headers } = response.clone();
    return [status, ...headers];
  },
  headers: (response) => [...response.headers],
  'headers that are changed': (response) => response.headers.append('x-extra', '2'),
  'status and headers of another Response': (response) => {
    const { status, headers } = new Response(null, response);
    return [status, ...headers];
  },
  'another Response of its body': (response) => new Response(response.body).text(),
  'text, not waited for': (response) => {
    response.text().catch(() => {});
  },
};

async function outcomeOf(use: () => unknown): Promise<unknown> {
  try {
    return await use();
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

test('whatever is done with it in whatever order, it does what a Response of the platform does', async () => {
  const names = fc.array(fc.constantFrom(...Object.keys(uses)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(names, async (asked) => {
      const outcomes = async (response: Response) => {
        const found: unknown[] = [response.bodyUsed];
        for (const name of asked) found.push(await outcomeOf(() => uses[name]?.(response)), response.bodyUsed);
        return found;
      };
      expect(await outcomes(local())).toEqual(await outcomes(new Response(BODY, INIT)));
    }),
  );
});

test('it is a Response, with the address that was asked for', () => {
  const response = local('http://localhost/v1/me');
  expect(response).toBeInstanceOf(Response);
  expect(response).toMatchObject({ url: 'http://localhost/v1/me', status: 201, ok: true, redirected: false });
  expect(response.headers.get('x-extra')).toBe('1');
  expect(response.clone().url).toBe('http://localhost/v1/me');
});

test('form data and bytes come of it as well', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await new LocalResponse('a=1', '', 200, headers).formData()).get('a')).toBe('1');
  const bytes = Reflect.get(LocalResponse.prototype, 'bytes');
  expect(await Reflect.apply(bytes, new LocalResponse('é', '', 200, {}), [])).toEqual(new Uint8Array([0xc3, 0xa9]));
});
