import openapiTypescript, { astToString } from 'openapi-typescript';
import type { OpenApiDocument } from '../../src/contract/openapi.js';

/** The types of a client, made from the API's document by a tool that many clients are made with. Examples are of no use to them. */
export async function clientTypes(document: OpenApiDocument): Promise<string> {
  const types = await openapiTypescript(
    JSON.stringify(document, (key, part) => (key === 'example' ? undefined : part)),
  );
  return `// Made from docs/openapi.json by \`npm run docs\`.\n${astToString(types)}`;
}
