import { type Attempt, attemptsAt } from './attempts.js';
import type { Exchange } from './contract/openapi.js';
import type { Route } from './contract/route.js';
import type { Sandbox } from './control/sandbox.js';
import { createEmulator } from './emulator.js';

/** Where the emulator of the examples is reached. */
export const EXAMPLE_SERVER = 'http://127.0.0.1:4010';
/** When they happen. */
const NOW = '2024-06-11T22:05:12.585Z';

/** By route and status. */
export type Examples = ReadonlyMap<string, ReadonlyMap<number, Exchange>>;

/** Sends each route of an API a good request and many bad ones, and keeps the first exchange of each status. */
export async function collectExamples(routes: readonly Route<never>[]): Promise<Examples> {
  // The sandbox of the examples and one beside it are all that there may be: a third is too many.
  const emulator = await createEmulator({ listen: false, now: NOW, maxSandboxes: 2 });
  const limited = await createEmulator({ listen: false, now: NOW, rateLimit: { limit: 1, window: '1m' } });
  await limited.fetch('/v1/me');
  const examples = new Map<string, Map<number, Exchange>>();
  // A document that showed itself would have no end.
  for (const route of routes.filter(({ path }) => !path.endsWith('.json'))) {
    const found = new Map<number, Exchange>();
    const keep = (exchange: Exchange) => found.has(exchange.status) || found.set(exchange.status, exchange);
    for (const attempt of attemptsAt(route, emulator.world.state)) {
      emulator.sandbox('demo');
      const sandbox = emulator.sandbox('example');
      if (isControl(route)) await prepare(sandbox);
      keep(await send(sandbox, route, attempt));
      await sandbox.close();
    }
    if (!isControl(route)) keep(await send(limited, route, { request: {} }));
    examples.set(route.name, found);
  }
  return examples;
}

const isControl = ({ path }: Route<never>) => path.startsWith('/_emulator/');

/** Something to list, to restore, to take back and to disarm. */
async function prepare(sandbox: Sandbox): Promise<void> {
  await sandbox.fetch('/v1/vals', {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'greeting', code: "export const greeting = 'Hello';" }),
  });
  sandbox.snapshot('before');
  sandbox.fail('POST /v1/vals', { status: 503, times: 2 });
}

async function send(sandbox: Sandbox, route: Route<never>, attempt: Attempt): Promise<Exchange> {
  const { request, token, type, server = EXAMPLE_SERVER } = attempt;
  const { params = {}, query = {}, body } = request;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? name));
  const search = new URLSearchParams(query).toString();
  const response = await sandbox.fetch(`${server}${path}${search && `?${search}`}`, {
    method: route.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || type === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { request, status: response.status, answer: text === '' ? undefined : JSON.parse(text, abridge) };
}

/** Two of a list are enough, and how long an answer took is nobody's business. */
function abridge(key: string, value: unknown): unknown {
  if (key === 'duration') return 0.4;
  return Array.isArray(value) ? value.slice(0, 2) : value;
}
