import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument, Response } from '#engine/openapi/types.js';

/** Returns the JSON pointer of a media type in a body. */
const toContent = (type: string): string => `content/${type.replaceAll('/', '~1')}`;

/** Lists the JSON pointers of all schemas of a document. */
function listSchemas({ paths, components }: OpenApiDocument): string[] {
  const inResponse = (response: Response | { readonly $ref: string }, pointer: string) =>
    'content' in response
      ? Object.keys(response.content ?? {}).map((type) => `${pointer}/${toContent(type)}/schema`)
      : [];
  const inOperations = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters, requestBody, responses }]) =>
      [
        ...parameters.map((_, i) => `parameters/${i}/schema`),
        ...Object.keys(requestBody?.content ?? {}).map((type) => `requestBody/${toContent(type)}/schema`),
        ...Object.entries(responses).flatMap(([status, response]) => inResponse(response, `responses/${status}`)),
      ].map((pointer) => `paths/${path.replaceAll('/', '~1')}/${method}/${pointer}`),
    ),
  );
  return [
    ...Object.keys(components.schemas).map((title) => `components/schemas/${title}`),
    ...Object.entries(components.responses).flatMap(([name, shared]) =>
      inResponse(shared, `components/responses/${name}`),
    ),
    ...inOperations,
  ];
}

describe.each(['openapi', 'openapi-spec-only', 'openapi-control'])('docs/%s.json', (name) => {
  const source = readFileSync(new URL(`../../docs/${name}.json`, import.meta.url), 'utf8');
  const document: OpenApiDocument = JSON.parse(source);

  test('passes a linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });

    const problems = await lintFromString({ source, config });

    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  test('every schema compiles in strict mode', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true }).addVocabulary(Object.keys(document));
    ajv.addFormat('binary', true);
    formats.default(ajv);
    ajv.addSchema(document, 'document');

    const validators = listSchemas(document).map((pointer) => ajv.getSchema(`document#/${pointer}`));

    expect(validators.length).toBeGreaterThan(50);
    expect(validators).not.toContain(undefined);
  });

  test('no schema has the name of a global', () => {
    expect(Object.keys(document.components.schemas).filter((title) => title in globalThis)).toEqual([]);
  });

  test('every component is used', () => {
    const text = JSON.stringify(document);
    const { schemas, responses } = document.components;
    const references = [
      ...Object.keys(schemas).map((title) => `#/components/schemas/${title}`),
      ...Object.keys(responses).map((title) => `#/components/responses/${title}`),
    ];
    const unused = references.filter((reference) => !text.includes(`"${reference}"`));

    expect(unused).toEqual([]);
  });
});
