import * as z from 'zod';
import { type ApiName, controlRoute } from '../route.js';

const Document = z.looseObject({ openapi: z.string() });

const documentRoute = (name: ApiName, path: string, summary: string) =>
  controlRoute({
    method: 'GET',
    path,
    summary,
    request: {},
    status: 200,
    answer: Document,
    errors: [403],
    handle: ({ documentOf, links }) => documentOf(name, links.base),
  });

export const openapiRoutes = [
  documentRoute('api', '/_emulator/openapi.json', 'The OpenAPI document of the API that is emulated'),
  documentRoute('control', '/_emulator/openapi-control.json', "The OpenAPI document of the emulator's own API"),
];
