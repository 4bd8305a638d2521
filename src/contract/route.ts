import * as z from 'zod';
import type { Instant } from '../domain/clock.js';
import { unauthorized } from '../domain/errors.js';
import type { State } from '../domain/state.js';
import type { User } from '../domain/users.js';
import type { Json } from './json.js';
import type { Links } from './links.js';
import { parseRequest } from './validation.js';

/** What a handler sees beside the parts of the request. */
export interface Context {
  /** The world. A route that writes is given a fork, which is kept if the handler returns. */
  readonly state: State;
  /** The time in the world. */
  readonly now: Instant;
  readonly links: Links;
}

/** The parts of a request as they arrive, not yet checked. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly body: unknown;
}

/** Who may call a route. `admit` throws the 401. */
export interface Auth<Caller> {
  readonly required: boolean;
  admit(caller: User | undefined): Caller;
}

/** Only callers with a token. */
export const signedIn: Auth<User> = {
  required: true,
  admit(caller) {
    if (!caller) throw unauthorized();
    return caller;
  },
};

/** Callers with a token or without. */
export const anyone: Auth<User | undefined> = { required: false, admit: (caller) => caller };

/** The schemas of the parts that the route reads. */
export type RequestShape = {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject | z.ZodDefault<z.ZodObject>;
};
type Parsed<S extends RequestShape> = z.output<z.ZodObject<S>>;

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Where the rules of a route come from: sentences of our own. */
export interface Rules {
  /** The specification of the API. */
  readonly specified?: readonly string[];
  /** The public record of the real service: its OpenAPI documents, its SDK, what published clients rely on. */
  readonly record?: readonly string[];
  /** Nobody says; these were chosen. */
  readonly chosen?: readonly string[];
}

/** What a request to a route looks like, over the default fixtures. The API document shows it with its answer. */
export interface RequestExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * What a handler returns. Only the emulator's own API may take its time: a route of the /v1 API never waits, so that two
 * writes cannot come between each other.
 */
type Reply<Reach, T> = unknown extends Reach ? T : T | Promise<T>;

export interface RouteSpec<S extends RequestShape, Caller, Answer extends z.ZodType, Reach> {
  readonly method: Method;
  /** With parameters in braces: `/v1/vals/{val_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly auth: Auth<Caller>;
  readonly request: S;
  /** Status of a success. */
  readonly status: 200 | 201 | 204;
  /** Schema of a success's body. */
  readonly answer: Answer;
  /** Statuses of the errors that this route can answer. */
  readonly errors: readonly number[];
  /**
   * Whether the specification leaves this route out and published programs call it all the same.
   * @default false
   */
  readonly companion?: boolean;
  readonly rules?: Rules;
  /** What the API document cannot make up by itself: bodies, and query parameters that are needed. */
  readonly example?: RequestExample;
  /** `caller` is whose token came with the request. */
  handle(
    context: Context & Reach & { readonly caller: Caller } & Parsed<S>,
  ): Reply<Reach, z.input<Answer> | Json<z.input<Answer>>>;
}

/**
 * One operation: all that any part of the emulator knows about it. `Reach` is what its handler sees beside the usual:
 * nothing for the /v1 API, the sandbox for the emulator's own.
 */
export interface Route<Reach = unknown>
  extends Readonly<
    Pick<
      RouteSpec<RequestShape, unknown, z.ZodType, unknown>,
      'method' | 'path' | 'summary' | 'request' | 'status' | 'answer' | 'errors' | 'rules' | 'example'
    >
  > {
  /** The route as people write it: `POST /v1/vals`. */
  readonly name: string;
  readonly needsToken: boolean;
  readonly companion: boolean;
  /** Whether its handler changes the state. */
  readonly writes: boolean;
  /**
   * Admits the caller, then reads and checks the request, and gives the body of the success, or the promise of one: a
   * value or its Json.
   * Throws an ApiError.
   */
  answerTo(context: Context & Reach, caller: User | undefined, parts: () => RequestParts): unknown;
}

/** Writes down a route. Path parameters, query, body and answer are typed from the schemas. */
export function route<const S extends RequestShape, Caller, Answer extends z.ZodType, Reach = unknown>(
  spec: RouteSpec<S, Caller, Answer, Reach>,
): Route<Reach> {
  const named = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const described = Object.keys(spec.request.params?.shape ?? {});
  if (named.join() !== described.join()) throw new TypeError(`${spec.path} has a schema for params "${described}"`);
  const request = z.object(spec.request);
  return {
    ...spec,
    name: `${spec.method} ${spec.path}`,
    needsToken: spec.auth.required,
    companion: spec.companion ?? false,
    writes: spec.method !== 'GET',
    answerTo(context, caller, parts) {
      const admitted = spec.auth.admit(caller);
      return spec.handle(Object.assign(parseRequest(request, parts()), context, { caller: admitted }));
    },
  };
}

/** The answer of a route that sends no body. */
export const noBody = z.void();
