import { Type } from 'typebox';
import { listRoutes } from '../api/router.js';
import { describeServers } from '../openapi/servers.js';
import { type ControlContext, type ControlEmulator, controlRoute, type DocumentKind } from './route.js';

const Document = Type.Object(
  { openapi: Type.String(), servers: Type.Array(Type.Object({ url: Type.String() })) },
  { title: 'OpenApiDocument', additionalProperties: true },
);

/** Returns an OpenAPI document of the service with the addresses of this emulator. Few ask for one: it is made when it is read. */
async function readDocument(
  kind: DocumentKind,
  { service }: ControlEmulator,
  { base, origin }: ControlContext['request'],
) {
  const servers = describeServers(base, origin);
  const document =
    service.readDocument?.(kind) ??
    (await import('../openapi/service.js')).describeService({ ...service, routes: listRoutes(service) }, kind);
  return { ...document, servers };
}

export const documentRoutes = [
  controlRoute('GET', '/_emulator/openapi.json', 'Get the OpenAPI document of the emulated API', {
    id: 'getOpenApi',
    response: Document,
    handle: ({ emulator, request }) => readDocument(emulator.specOnly ? 'spec-only' : 'api', emulator, request),
  }),
  controlRoute('GET', '/_emulator/openapi-control.json', 'Get the OpenAPI document of the control API', {
    id: 'getControlOpenApi',
    response: Document,
    handle: ({ emulator, request }) => readDocument('control', emulator, request),
  }),
];
