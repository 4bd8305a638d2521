import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { packageFile } from '../../lib/package.js';
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

export const openapiRoutes = [
  controlRoute('GET', '/_emulator/openapi.json', 'Get the OpenAPI document of the emulated API', {
    response: Document,
    handle: ({ links, specOnly }) => readDocument(specOnly ? 'openapi-spec-only' : 'openapi', links.base),
  }),
  controlRoute('GET', '/_emulator/openapi-control.json', 'Get the OpenAPI document of the control API', {
    response: Document,
    handle: ({ links }) => readDocument('openapi-control', links.base),
  }),
];
