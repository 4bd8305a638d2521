import type { Emulator, Fixtures } from '../../src/index.js';

export const REPORT = '11111111-1111-4111-8111-111111111111';
export const WEATHER = '22222222-2222-4222-8222-222222222222';

/** Two users, and two vals of the first. */
export const WORLD: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [
    { author: 'ada', name: 'report', id: REPORT, code: 'export const report = 1;\n' },
    { author: 'ada', name: 'weather', id: WEATHER, code: 'export const weather = "rain";\n' },
  ],
};

interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `ada` */
  readonly user?: string;
}

/** Sends a request as a program under test does. */
export async function call(
  { url }: Pick<Emulator, 'url'>,
  method: string,
  path: string,
  { body, headers, user = 'ada' }: CallOptions = {},
): Promise<Response> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${user}-token`, 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  await response.clone().arrayBuffer();
  return response;
}
