import { Type } from 'typebox';
import { readText } from '../lib/package-files.js';
import { type ControlContext, controlRoute } from './route.js';

const Document = Type.Object(
  { openapi: Type.String(), servers: Type.Array(Type.Object({ url: Type.String() })) },
  { title: 'OpenApiDocument', additionalProperties: true },
);

/**
 * Describes the addresses of an emulator for an OpenAPI document.
 * @param base URL of the emulator, with a sandbox or without
 * @param origin URL of the emulator, without a sandbox
 */
export const describeServers = (base: string, origin: string) => [
  { url: base, description: base === origin ? 'The emulator' : 'A sandbox of the emulator' },
  {
    url: '{url}/_sandbox/{sandbox}',
    description: 'A sandbox of the emulator by its name: 1–64 of A–Z a–z 0–9 . _ -',
    // Without descriptions: orval 7 takes them for an error.
    variables: { url: { default: origin }, sandbox: { default: 'demo' } },
  },
];

/** Reads an OpenAPI document that the build has written (scripts/openapi), with the addresses of this emulator. */
function readDocument(name: string, { base, origin }: ControlContext['request']) {
  const document: { openapi: string } = JSON.parse(readText(`docs/${name}.json`));
  return { ...document, servers: describeServers(base, origin) };
}

export const documentRoutes = [
  controlRoute('GET', '/_emulator/openapi.json', 'Get the OpenAPI document of the emulated API', {
    id: 'getOpenApi',
    response: Document,
    handle: ({ emulator: { specOnly }, request }) => readDocument(specOnly ? 'openapi-spec-only' : 'openapi', request),
  }),
  controlRoute('GET', '/_emulator/openapi-control.json', 'Get the OpenAPI document of the control API', {
    id: 'getControlOpenApi',
    response: Document,
    handle: ({ request }) => readDocument('openapi-control', request),
  }),
];
