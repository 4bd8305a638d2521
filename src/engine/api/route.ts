import { type Static, type TSchema, Type } from 'typebox';
import type { Caller, Credential } from '../definition/define.js';
import { DefinitionError } from '../definition/service-errors.js';
import type { HTML, NDJSON } from '../lib/json.js';
import type { TYPESCRIPT } from '../lib/media-types.js';
import type { PROMETHEUS_TEXT } from '../lib/metrics.js';
import { isObject } from '../lib/objects.js';
import type { Instant } from '../lib/time.js';
import { compile, type Validator } from '../schema/validator.js';
import type { Draft, State } from '../state/state.js';
import type { Links } from './pagination.js';
import type { Plan } from './plan.js';
import type { ConditionReader, Representation } from './representation.js';
import type { SerializedJson, SerializeRecord } from './serialize.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a request has sent to a route. */
export interface RequestInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

type InputValidators = { readonly [P in keyof RequestInput]?: Validator<unknown> | undefined };

/** The context of every handler, in addition to the validated request. */
interface RouteContext {
  readonly now: Instant;
  readonly links: Links;
  /** Serializes a record through the cache of the emulator. */
  readonly json: SerializeRecord;
  /** Returns a header: a condition, of a route that is conditional, or who sent the request, of one that reads no token. */
  readonly header: ConditionReader;
}

/** What a service runs in addition to its states, such as an engine of SQL. */
export interface Engine {
  close(): void;
}

export interface RouteTypes {
  readonly state: State;
  readonly draft: Draft;
  readonly caller: Caller;
  readonly credential: Credential;
  readonly engine: Engine | undefined;
}

/** The context of a handler of the API. A route that writes receives a draft. */
export interface ApiContext<T extends RouteTypes = RouteTypes> extends RouteContext {
  readonly state: T['state'];
  readonly caller: T['caller'] | undefined;
  /** The record of the token of the request. Undefined for the caller's own token */
  readonly credential: T['credential'] | undefined;
  readonly engine: T['engine'];
}

/** The rules of a route by their source. Each may begin with an id, by which cases of conformance name it: `parents: A file has …`. */
export interface Rules {
  readonly specification?: readonly string[];
  /** The public record of the real service: its OpenAPI documents, its SDK, the behavior that published clients rely on. */
  readonly record?: readonly string[];
  /** Chosen by this project, where no source says. */
  readonly chosen?: readonly string[];
}

/** The origin of a route, with the sources that a route of this origin has. */
export type Origin =
  | {
      readonly unofficial: true;
      readonly rules: Rules & Required<Pick<Rules, 'record'>>;
    }
  | {
      readonly unofficial?: false;
      readonly rules: Rules & Required<Pick<Rules, 'specification'>>;
    };

/** A request to a route over the default fixtures, for the OpenAPI document. */
export interface RequestExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** As in the Model Context Protocol: `readOnlyHint`. */
type ToolHint = 'readOnly' | 'destructive' | 'idempotent';

/** An operation: the only description of it that any part of the emulator reads. */
export interface Route<C = ApiContext> {
  /** Method and path: `POST /v1/vals`. */
  readonly name: string;
  /** The name of the function in a generated client, unique in both APIs: `createVal`. */
  readonly id: string;
  readonly method: Method;
  /** Parameters are in braces: `/v1/vals/{val_id}`. */
  readonly path: string;
  /** Whether the last parameter has the rest of the path, slashes included. All before it is literal. @default false */
  readonly takesRest?: boolean;
  /** Whether a successful response may be a redirect. @default false */
  readonly redirects?: boolean;
  readonly summary: string;
  /** One or two sentences for the users of a generated client, in addition to the summary. */
  readonly description?: string;
  /** A route of the dashboard alone, which docs/control.md and the control client leave out. @default false */
  readonly isForPage?: boolean;
  /** Whether the route rejects requests without a token. One with `none` ignores the header, which may have other credentials. */
  readonly auth: 'required' | 'optional' | 'none';
  /** The scope that a token must have, unless it has all: `todo:read`. A token without it gets a 403. @default none */
  readonly scope?: string;
  /** The scope that a plan that writes needs in addition. @default none */
  readonly writeScope?: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Whether it stands for what does not exist, such as a tool: the journal has no route then. @default false */
  readonly isUnknown?: boolean;
  /** The keys of the body that are recorded, if others are `writeOnly`, and withheld. @default all */
  readonly openKeys?: readonly string[] | undefined;
  /** Whether the body is a call of a tool, whose arguments have these keys. @default false */
  readonly isMessage?: boolean;
  /** The names of parameters and of JSON keys whose values are withheld from what is recorded, of responses as well. @default none */
  readonly secretNames?: readonly string[];
  readonly validators: InputValidators;
  readonly response: TSchema;
  /** How a body is read: JSON with its type; JSON with any type, since programs send none; or bytes. @default 'json' */
  readonly bodyType?: 'json' | 'any-json' | 'bytes';
  /** Bytes of a body at most. Above the default, route and token are checked before it is read. @default 1,048,576 */
  readonly bodyLimit?: number;
  /** Media type of the response, which is text as the handler returns it. @default 'application/json' */
  readonly mediaType?:
    | 'text/event-stream'
    | 'application/octet-stream'
    | typeof HTML
    | typeof NDJSON
    | typeof TYPESCRIPT
    | typeof PROMETHEUS_TEXT;
  /**
   * Whether a request may have conditions. The handler of a GET returns a {@link Representation}: 304, 412. A handler that writes
   * calls `assertMet`: 412. @default false
   */
  readonly isConditional?: boolean;
  /** Further headers of a successful response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: 200 | 201 | 202 | 204;
  readonly errors: readonly number[];
  /** Bodies of errors that differ from other routes, by status. */
  readonly errorBodies?: Readonly<Record<number, TSchema>>;
  /** Whether the route is missing in the specification, but called by published programs. @default false */
  readonly unofficial?: boolean;
  readonly rules?: Rules;
  /** The parts of an example request that cannot be derived: bodies and required query parameters. */
  readonly example?: RequestExample;
  /** Finds why a request was refused in a body whose status does not say so. @default none is */
  findError?(body: string): string | undefined;
  /** The collection whose record the last parameter of the path names by its id, or `files`. @default none */
  readonly finds?: string;
  /** Whether the handler reads the committed state and returns a plan, since only then it is known to write. @default false */
  readonly plans?: boolean;
  /** The name of the operation as a tool for agents. @default none */
  readonly tool?: string;
  /** Properties of the response that the result of the tool omits, such as the points of a chart. @default none */
  readonly toolOmits?: readonly string[];
  /** What a call of the tool does. A GET is `readOnly`. @default none */
  readonly hints?: readonly ToolHint[];
  handle(context: C & RequestInput): unknown;
}

export interface RouteSpec<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>
  extends Pick<
    Route,
    | 'id'
    | 'description'
    | 'rules'
    | 'unofficial'
    | 'example'
    | 'mediaType'
    | 'takesRest'
    | 'finds'
    | 'redirects'
    | 'errorBodies'
    | 'bodyType'
    | 'bodyLimit'
    | 'plans'
    | 'scope'
    | 'writeScope'
    | 'isConditional'
    | 'headers'
    | 'tool'
    | 'toolOmits'
    | 'hints'
  > {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** @default no body */
  readonly response?: R;
  /** @default 200, or 204 without a body */
  readonly status?: Route['status'];
}

export interface ValidInput<P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
}

export const BYTES = Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' });

const noContent = Type.Void();
export type NoContent = typeof noContent;

/** What a handler of bytes may return in place of them. */
type ResponseOf<R extends TSchema> = Static<R> extends Uint8Array ? Representation : never;

/** A route with the type of its name, from which {@link RouteName} follows. */
type Named<N extends string> = Route & { readonly name: N };

/** Returns what defines the routes of a service. A handler of a GET route receives a read-only state. */
export const routeFor =
  <T extends RouteTypes, E = unknown>() =>
  <
    const M extends Method,
    const Path extends string,
    const A,
    P extends TSchema,
    Q extends TSchema,
    B extends TSchema,
    R extends TSchema = NoContent,
    const Y extends Route['bodyType'] = 'json',
    const F extends boolean = false,
  >(
    method: M,
    path: Path,
    summary: string,
    spec: RouteSpec<P, Q, B, R> &
      E & {
        readonly auth: A & Route['auth'];
        readonly errors: readonly number[];
        readonly bodyType?: Y;
        readonly plans?: F;
        handle(
          context: Omit<ApiContext<T>, 'caller' | 'state'> &
            ValidInput<P, Q, B> & {
              readonly body: Y extends 'bytes' ? Uint8Array : Static<B>;
              readonly state: M extends 'GET' ? T['state'] : F extends true ? T['state'] : T['draft'];
              readonly caller: A extends 'required' ? T['caller'] : T['caller'] | undefined;
            },
        ): F extends true
          ? Plan<SerializedJson<Static<R>>, T['draft']>
          : Static<R> | SerializedJson<Static<R>> | ResponseOf<R>;
      },
  ): Named<`${M} ${Path}`> => {
    // A program in JavaScript may leave one out.
    if (typeof summary !== 'string' || !isObject(spec)) {
      const message = 'expected a summary, then the definition.';
      throw new DefinitionError(`route ${method} ${path}`, [{ path: 'arguments', message }]);
    }
    return { ...spec, ...complete(method, path, summary, spec, 'wire', 'wire') };
  };

/** Derives the rest of a route from its definition. */
export function complete<
  M extends Method,
  const Path extends string,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
>(
  method: M,
  path: Path,
  summary: string,
  { params, query, body, response, status = response ? 200 : 204 }: RouteSpec<P, Q, B, R>,
  mode: 'wire' | 'query',
  bodyMode: 'wire' | 'strict',
) {
  const name: `${M} ${Path}` = `${method} ${path}`;
  const validators = {
    params: params && compile(params, mode),
    query: query && compile(query, mode),
    body: body && compile(body, bodyMode),
  };
  const openKeys = listOpenKeys(body);
  return {
    name,
    method,
    path,
    summary,
    response: response ?? noContent,
    status,
    validators,
    ...(openKeys && { openKeys }),
  };
}

const isSecret = (schema: unknown): boolean =>
  isObject(schema) &&
  (schema.writeOnly === true ||
    Object.values(schema).some((part) => (Array.isArray(part) ? part.some(isSecret) : isSecret(part))));

/**
 * Lists the keys of a body that may be recorded, if its schema has a key that is `writeOnly`: such values are never read back.
 * @returns undefined for a body that is recorded as it was sent
 */
export function listOpenKeys(body: TSchema | undefined): readonly string[] | undefined {
  if (!isSecret(body)) return undefined;
  const properties: unknown = Object(body).properties;
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([key, schema]) =>
    isSecret(schema) ? [] : [key],
  );
}
