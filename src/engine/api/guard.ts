import { HandlerError } from '../definition/service-errors.js';
import { ApiError } from '../lib/errors.js';
import { isObject } from '../lib/objects.js';
import { checkDraft } from '../state/check-draft.js';
import type { Draft, State } from '../state/state.js';
import { toPlan } from './plan.js';
import { Representation } from './representation.js';
import type { Route } from './route.js';
import { SerializedJson, serialize } from './serialize.js';

/**
 * Guards a route of another service than the built-in one, which may be plain JavaScript. Its handler cannot damage a state,
 * and an error of it has its name. The pipeline takes the changes back.
 */
export function guardRoute(route: Route, service: string): Route {
  const { name, method, plans } = route;
  function attempt<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (isResponse(error)) throw error;
      const cause =
        error instanceof ApiError
          ? new TypeError(`ApiError: found the status ${error.status}; expected 400 to 599.`)
          : error;
      throw new HandlerError(`${name} of the service ${service}`, cause);
    }
  }
  return {
    ...route,
    handle: (context) =>
      attempt(() => {
        const { state } = context;
        if (method !== 'GET' && !plans && isDraft(state)) {
          return write(state, () => checkResult(route, route.handle(context)));
        }
        Object.freeze(state);
        const result = checkResult(route, route.handle(context));
        if (!plans) return result;
        const plan = toPlan(result);
        return 'read' in plan
          ? plan
          : { write: (draft: Draft) => attempt(() => write(draft, () => plan.write(draft))) };
      }),
  };
}

const isResponse = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status <= 599;

const isDraft = (state: State): state is Draft => 'isDraft' in state;

function write<T>(draft: Draft, act: () => T): T {
  const before = { ...Object.seal(draft) };
  const result = act();
  checkDraft(before, draft);
  return result;
}

/** Checks what a handler returns. An object becomes its text now, so that an error of that is one of the handler. */
function checkResult({ name, status, plans }: Route, value: unknown): unknown {
  if (isObject(value) && typeof value.then === 'function') {
    // Without a reader, a rejection would end the process.
    Promise.resolve(value).catch(() => {});
    throw new TypeError(`${name}: handle returned a promise; a handler is synchronous.`);
  }
  if (plans) return value;
  if (value !== undefined && status === 204)
    throw new TypeError(
      `${name}: handle returned a value, and the route has no response; expected one of them to change.`,
    );
  const isBytes = value instanceof Uint8Array || value instanceof Representation;
  const isJson = (isObject(value) || Array.isArray(value)) && !isBytes;
  return isJson ? new SerializedJson(serialize(value)) : value;
}
