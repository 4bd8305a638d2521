import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { packageFile, packageVersion } from '../../lib/package.js';
import { strictObject } from '../../lib/schema.js';
import { controlRoute } from '../route.js';

const Document = Type.Object(
  { openapi: Type.String(), servers: Type.Array(Type.Object({ url: Type.String() })) },
  { additionalProperties: true },
);

/** Reads an OpenAPI document that the build has written (scripts/openapi). */
async function readDocument(name: string, server: string) {
  const document: { openapi: string } = JSON.parse(await readFile(packageFile(`docs/${name}.json`), 'utf8'));
  return { ...document, servers: [{ url: server }] };
}

export const healthRoute = controlRoute(
  'GET',
  '/_emulator/health',
  'Report that the emulator is up, with its version',
  {
    response: strictObject({ status: Type.Literal('ok'), version: Type.String() }),
    errors: [],
    handle: () => ({ status: 'ok' as const, version: packageVersion() }),
  },
);

export const openapiRoutes = [
  controlRoute('GET', '/_emulator/openapi.json', 'Get the OpenAPI document of the emulated API', {
    response: Document,
    handle: ({ base, specOnly }) => readDocument(specOnly ? 'openapi-spec-only' : 'openapi', base),
  }),
  controlRoute('GET', '/_emulator/openapi-control.json', 'Get the OpenAPI document of the control API', {
    response: Document,
    handle: ({ base }) => readDocument('openapi-control', base),
  }),
];
