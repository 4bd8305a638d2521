import { join } from 'node:path';
import jsonServer from 'json-server';
import { requireFrom } from '../../../scripts/install.js';
import { createEmulator } from '../../../src/index.js';
import { readJson } from '../../support/read-json.js';
import { serve, type Target, TOKENS } from './target.js';

// Servers that people use in place of an emulator. They show that the checks find what is not the API.

const DOCS = join(import.meta.dirname, '../../../docs');
const COLLECTIONS = ['users', 'vals', 'versions', 'runs', 'likes', 'comments'];

/** json-server with the records of the default dataset, and the paths of the API as far as its rewriter leads. */
export async function startJsonServer(): Promise<Target> {
  const { rows, me } = await readRows();
  const app = jsonServer.create();
  app.use(
    jsonServer.rewriter({
      '/v1/me': `/users/${me}`,
      '/v1/me/*': '/$1',
      '/v1/alias/:username/:name': '/vals?author=:username&name=:name',
      '/v1/alias/:username': '/users?username=:username',
      '/v1/search/vals\\?query=:query': '/vals?q=:query',
      '/v1/*': '/$1',
    }),
  );
  app.use(jsonServer.bodyParser);
  const router = jsonServer.router(rows);
  // The ids of json-server are random. One without a small letter would be equal to itself in upper case, and pass a case more.
  let count = 0;
  router.db._.mixin({ createId: () => `row-${++count}` });
  app.use(router);
  return { ...(await serve(app)), token: TOKENS.token };
}

/** Reads the records as rows of json-server, and the id of the user of the first token. */
async function readRows() {
  await using emulator = await createEmulator({ now: '2024-06-11T22:05:12Z' });
  const rows: Record<string, object> = {};
  for (const collection of COLLECTIONS) {
    rows[collection] = await readJson(await fetch(`${emulator.url}/_emulator/db/${collection}`));
  }
  return { rows, me: emulator.users.find(({ token }) => token === TOKENS.token)?.id };
}

/** The part of Prism's libraries that is used here. They are loaded late, since few tests need them. */
interface Prism {
  getHttpOperationsFromSpec(file: string): Promise<readonly object[]>;
  createServer(operations: readonly object[], options: object): PrismServer;
}

interface PrismServer {
  listen(port: number, host: string): Promise<string>;
  close(): Promise<void>;
}

/** Prism as a mock server: it checks requests and responds with the examples of an OpenAPI document in `docs`. */
export async function startPrism(document = 'openapi.json'): Promise<Target> {
  const prism = loadPrism();
  const server = prism.createServer(await prism.getHttpOperationsFromSpec(join(DOCS, document)), {
    components: { logger: SILENT },
    config: {
      mock: { dynamic: false },
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      isProxy: false,
    },
    cors: true,
  });
  return { url: await server.listen(0, '127.0.0.1'), token: TOKENS.token, close: () => server.close() };
}

function loadPrism(): Prism {
  const load = requireFrom('test/tools/conformance/prism');
  return { ...load('@stoplight/prism-http'), ...load('@stoplight/prism-http-server') };
}

/** A logger for Prism that writes nothing. */
const SILENT = {
  ...Object.fromEntries(['trace', 'debug', 'info', 'success', 'warn', 'error'].map((level) => [level, () => {}])),
  child: () => SILENT,
};
