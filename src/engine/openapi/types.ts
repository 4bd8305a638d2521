import type { TSchema } from 'typebox';
import type { RequestExample, Route } from '../api/route.js';
import type { JsonSchema } from './schemas.js';

/** A request and its response, as a document shows them. */
export interface Example {
  readonly request: RequestExample;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for a response without a body. */
  readonly body: unknown;
}

export interface DocumentSpec {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly server: string;
  readonly routes: readonly Route<never>[];
  /** Whether this is the /v1 API, with tokens and unofficial routes. */
  readonly isApi: boolean;
  readonly getTag: (route: Route<never>) => string;
  readonly tags: Readonly<Record<string, string>>;
  /** Lists the statuses that a request can receive before it reaches the route. */
  readonly listCommonErrors: (route: Route<never>) => readonly number[];
  readonly getErrorBody: (status: number) => TSchema;
  readonly findExample: (route: Route<never>, status: number) => Example | undefined;
  /** Finds how to read all pages of a list. Default: no list has pages */
  readonly findPagination?: (route: Route<never>) => object | undefined;
  /** Lists the operations that take their parameters from a response of a route. Default: none */
  readonly listLinks?: (route: Route<never>) => Readonly<Record<string, Link>>;
}

/** How an operation takes its path parameters from a response or a request, by OpenAPI's runtime expressions. */
export interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: unknown;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly style?: unknown;
  readonly explode?: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers?: unknown;
  readonly content?: Content;
  readonly links?: Readonly<Record<string, Link>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
  readonly [part: string]: unknown;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly [part: string]: unknown;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly [part: string]: unknown;
}
