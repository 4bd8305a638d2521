import openapiTypescript, { astToString } from 'openapi-typescript';
import type { OpenApiDocument } from '../openapi/document.js';

/** Generates the types of a client by openapi-typescript. Examples are left out. */
export async function generateClientTypes(document: OpenApiDocument): Promise<string> {
  const types = await openapiTypescript(
    JSON.stringify(document, (key, part) => (key === 'example' ? undefined : part)),
  );
  return `// Generated from docs/openapi.json by \`npm run docs\`.\n${astToString(types)}`;
}
