import { type Static, type TSchema, Type } from 'typebox';
import type { Instant } from '../lib/time.js';
import { compile } from '../lib/validator.js';
import type { User } from '../model/schema.js';
import type { Draft, State } from '../model/state.js';
import type { Links } from './links.js';
import type { SerializedJson, SerializeRecord } from './serialize.js';
import type { InputValidators } from './validate.js';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** What every handler receives in addition to the validated request. */
export interface RouteContext {
  /** Undefined for a request without a token. */
  readonly caller: User | undefined;
  /** The time of the sandbox. */
  readonly now: Instant;
  readonly links: Links;
  /** Serializes a record through the cache of the emulator. */
  readonly json: SerializeRecord;
}

/** The context of a handler of the /v1 API. A route that writes receives a draft. */
export interface ApiContext extends RouteContext {
  readonly state: State;
}

/** Where the rules of a route come from. */
export interface Rules {
  /** The specification of the API. */
  readonly specification?: readonly string[];
  /** The public record of the real service: its OpenAPI documents, its SDK, the behavior that published clients rely on. */
  readonly record?: readonly string[];
  /** Chosen by this project, where no source says. */
  readonly chosen?: readonly string[];
}

/** A request to a route over the default fixtures, for the OpenAPI document. */
export interface RequestExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Describes a route apart from its types. */
interface RouteInfo {
  readonly method: Method;
  /** Parameters are in braces: `/v1/vals/{val_id}`. */
  readonly path: string;
  readonly summary: string;
  /** Whether the route rejects requests without a token. */
  readonly auth: 'required' | 'optional';
  /** Status of a success. */
  readonly status: 200 | 201 | 204;
  /** Statuses of the errors of this route. */
  readonly errors: readonly number[];
  /**
   * Whether the route is missing in the specification, but called by published programs.
   * @default false
   */
  readonly unofficial?: boolean;
  readonly rules?: Rules;
  /** The parts of an example request that cannot be derived: bodies and required query parameters. */
  readonly example?: RequestExample;
}

type CallerOf<A> = A extends 'required' ? User : User | undefined;

/** The definition of a route of the /v1 API. Handlers of GET routes receive a read-only state. */
export interface RouteSpec<
  M extends Method,
  A,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
> extends RouteInfo {
  readonly method: M;
  readonly auth: A & RouteInfo['auth'];
  /** Schemas of the parts that the route reads. */
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Schema of the body of a success. */
  readonly response: R;
  handle(
    context: RouteContext & {
      readonly state: M extends 'GET' ? State : Draft;
      readonly caller: CallerOf<A>;
      readonly params: Static<P>;
      readonly query: Static<Q>;
      readonly body: Static<B>;
    },
  ): Static<R> | SerializedJson<Static<R>>;
}

/** An operation: the only description of it that any part of the emulator reads. */
export interface Route<C = ApiContext> extends RouteInfo {
  /** Method and path: `POST /v1/vals`. */
  readonly name: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly response: TSchema;
  readonly validators: InputValidators;
  /** Handles a validated request. Returns the body of the success. */
  handle(context: C & { readonly params: unknown; readonly query: unknown; readonly body: unknown }): unknown;
}

/** Defines a route of the /v1 API. Params, query, body and response are typed by the schemas. */
export function route<
  const M extends Method,
  const A,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
>(spec: RouteSpec<M, A, P, Q, B, R>): Route {
  return { ...spec, ...describe(spec, 'wire', 'wire') };
}

interface Schemas {
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly response: TSchema;
}

/** Derives the name and the validators of a route. */
export function describe(spec: RouteInfo & Schemas, mode: 'wire' | 'query', bodyMode: 'wire' | 'strict') {
  const name = `${spec.method} ${spec.path}`;
  const { params, query, body } = spec;
  return {
    name,
    validators: {
      params: params && compile(`${name} params`, params, mode),
      query: query && compile(`${name} query`, query, mode),
      body: body && compile(`${name} body`, body, bodyMode),
    },
  };
}

/** The response schema of a route without a response body. */
export const noContent = Type.Void();

/** Returns the parameter names in a path. */
export const listPathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
