import { type Resource, useResource } from './resource.js';

/** The parts of an OpenAPI document that the pages show. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

export interface ResponseEntry {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

interface OperationEntry {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseEntry>>;
  readonly 'x-origin'?: string;
  readonly 'x-rules'?: Readonly<Record<string, readonly string[]>>;
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationEntry>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, ResponseEntry>>;
  };
}

export interface Operation extends OperationEntry {
  /** In capital letters. */
  readonly method: string;
  /** `/v1/vals/{val_id}` */
  readonly path: string;
  /** `GET /v1/vals/{val_id}` */
  readonly route: string;
  readonly tag: string;
}

export const useDocument = (name: 'openapi' | 'openapi-control'): Resource<OpenApiDocument> =>
  useResource<OpenApiDocument>(`/${name}.json`, 'emulator');

export const listOperations = ({ paths }: OpenApiDocument): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase();
      return { ...operation, method, path, route: `${method} ${path}`, tag: operation.tags?.[0] ?? 'other' };
    }),
  );

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Follows a reference to a schema of the document. */
export const findSchema = (document: OpenApiDocument, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : { ...document.components?.schemas?.[nameOf(schema.$ref)], ...schema };

/** Follows a reference to a response of the document. */
export const findResponse = (document: OpenApiDocument, response: ResponseEntry): ResponseEntry =>
  response.$ref === undefined ? response : (document.components?.responses?.[nameOf(response.$ref)] ?? response);

/** Describes the type of a schema in a few words: `integer, 1–100`, `public | private`, `Val[]`. */
export function describeType(document: OpenApiDocument, schema: Schema): string {
  const {
    type,
    format,
    enum: values,
    const: constant,
    minimum,
    maximum,
    maxLength,
    items,
    anyOf,
  } = findSchema(document, schema);
  if (values) return values.map(String).join(' | ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (anyOf) return [...new Set(anyOf.map((each) => describeType(document, each)))].join(' | ');
  if (items) return `list of ${describeType(document, items)}`;
  const name = Array.isArray(type) ? type.join(' | ') : String(type ?? 'any');
  const range =
    minimum === undefined && maximum === undefined
      ? ''
      : maximum === undefined
        ? `, from ${minimum}`
        : `, ${minimum ?? 0}–${maximum}`;
  const length = maxLength === undefined ? '' : `, up to ${maxLength.toLocaleString('en')} characters`;
  return `${name}${format === undefined ? '' : ` (${format})`}${range}${length}`;
}

export const findOperation = (document: OpenApiDocument, method: string, path: string): Operation | undefined =>
  listOperations(document).find((operation) => operation.method === method && operation.path === path);
