import { type TSchema, Type } from 'typebox';
import { checkSchema } from '../definition/check.js';
import { oneOf } from '../definition/parts.js';
import type { Problem } from '../lib/errors.js';
import { strictObject } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import type { Route } from './route.js';

/** A part in braces is a parameter. The path of a request never has `?`, `#`, a decoded `%` or an empty part. */
const PATH = '^(?!/_(emulator|sandbox)(/|$))(/(\\{[A-Za-z_]\\w*\\}|(?!:)[^/{}?#%\\s]+))+$';

const Any = Type.Optional(Type.Unknown());
const Schema = Type.Optional(Type.Object({}, { expected: 'a schema, as a function of Type returns it' }));
const Scope = Type.Optional(Type.String({ pattern: '^\\S{1,64}$', expected: 'a scope such as "todo:read"' }));
const ObjectSchema = Type.Optional(
  Type.Object({ type: Type.Unsafe({ const: 'object', expected: '"object", as Type.Object has it' }) }),
);

const OfControl = Type.Optional(Type.Unsafe({ const: false, expected: 'false, since only the control API has it' }));

/** The types state the same, which a program in JavaScript does not check. */
const isRoute = compile(
  strictObject({
    id: Type.String({ pattern: '^[A-Za-z]\\w*$', expected: 'a name such as listTodos' }),
    method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    path: Type.String({ pattern: PATH, expected: 'a path such as /todos/{id}, not below /_emulator or /_sandbox' }),
    auth: oneOf('required', 'optional', 'none'),
    ...{ scope: Scope, writeScope: Scope },
    errors: Type.Array(Type.Integer({ minimum: 400, maximum: 599, expected: 'a status from 400 to 599' })),
    status: Type.Unsafe({ enum: [200, 201, 202, 204] }),
    ...{ params: ObjectSchema, query: ObjectSchema, body: Schema, response: Schema },
    ...{ name: Any, summary: Any, description: Any, handle: Any, validators: Any, example: Any, plans: Any },
    ...{ findError: Any, finds: Any },
    ...{ bodyType: Any, bodyLimit: Any, mediaType: Any, headers: Any, errorBodies: Any, unofficial: Any, rules: Any },
    ...{ tool: Any, toolOmits: Any, hints: Any, isConditional: Any, openKeys: Any, isMessage: Any, isUnknown: Any },
    ...{ secretNames: Any, takesRest: Any, redirects: OfControl, isForPage: OfControl },
  } satisfies Record<keyof Route, TSchema>),
  'strict',
);

const PARAMETER = /\{([^/}]*)\}/g;

/** Finds routes that match the same requests, or have the same id. */
export function* findTwins(routes: readonly Pick<Route, 'name' | 'id' | 'method' | 'path'>[]): Generator<Problem> {
  const byPath = new Map<string, string>();
  const byId = new Map<string, string>();
  for (const { name, id, method, path } of routes) {
    const pattern = `${method} ${path.replaceAll(PARAMETER, '{}')}`;
    const twin = byPath.get(pattern);
    const other = byId.get(id);
    const problem = twin ? `matches the same requests as ${twin}` : other && `has the id of ${other}, ${id}`;
    if (problem) yield { path: `route ${name}`, message: `${problem}; expected one of them to change.` };
    byPath.set(pattern, name);
    byId.set(id, name);
  }
}

function* checkParameters({ name, path, params }: Pick<Route, 'name' | 'path' | 'params'>): Generator<Problem> {
  const at = `route ${name}`;
  const found = [...path.matchAll(PARAMETER)].map(([, parameter = '']) => parameter);
  const described = Object.keys(Object(Object(params).properties));
  const repeated = found.find((parameter, i) => found.indexOf(parameter) !== i);
  const missing = found.find((parameter) => !described.includes(parameter));
  const unknown = described.find((parameter) => !found.includes(parameter));
  if (repeated) yield { path: at, message: `the path has the parameter ${repeated} twice; expected another name.` };
  if (missing) yield { path: at, message: `the schema params lacks the parameter ${missing} of the path.` };
  if (unknown) yield { path: at, message: `the schema params has ${unknown}, which is no parameter of the path.` };
}

/** Finds what is wrong with the routes of an API. @param hasCallers whether a request can have a valid token */
export function* checkRoutes(routes: readonly Route[], hasCallers: boolean): Generator<Problem> {
  for (const route of routes) {
    const at = `route ${route.name}`;
    if (!isRoute(route)) yield* describeErrors(isRoute.errors, at);
    if (typeof route.handle !== 'function') yield { path: `${at}.handle`, message: 'expected a function.' };
    if (route.auth === 'required' && !hasCallers)
      yield { path: `${at}.auth`, message: 'expected "optional": no collection has callers.' };
    if (route.method === 'GET' && route.body)
      yield { path: `${at}.body`, message: 'a GET has no body; expected query.' };
    for (const part of ['params', 'query', 'body'] as const) {
      const validate = route.validators[part];
      if (validate) yield* checkSchema(validate, `${at}.${part}`);
    }
    yield* checkParameters(route);
  }
}
