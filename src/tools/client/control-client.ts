import type { Static, TSchema } from 'typebox';
import { type ControlSettings, type RequestSettings, sendOperation } from '#engine/control/send.js';
import type { Optional } from '#engine/lib/objects.js';
import type { ControlOperation } from '#vals/service/service.control.js';
import { OPERATIONS } from './operations.js';

type Operations = { readonly [O in ControlOperation as O['id']]: O };
type OperationId = keyof Operations;

/** The type of a schema; unknown for a route without it. */
type Values<S> = NonNullable<S> extends infer T extends TSchema ? Static<T> : unknown;
/** Objects whose keys may be undefined; lists as they are. */
type Given<V> = V extends readonly unknown[] ? V : V extends object ? Optional<V> : unknown;
type ContentOf<O extends ControlOperation> = Given<
  Values<O['method'] extends 'GET' | 'DELETE' ? O['query'] : O['body']>
>;
/** The parameters of the path, together with the body, or with the query of a request without a body. */
export type ControlInput<I extends OperationId> = Values<Operations[I]['params']> & ContentOf<Operations[I]>;
/** The body of a successful response; undefined for none. */
export type ControlOutput<I extends OperationId> =
  Static<Operations[I]['response']> extends infer R
    ? [Exclude<R, void>] extends [never]
      ? undefined
      : Exclude<R, void>
    : never;

/** A method for each operation of the control API, by its id. Each rejects as {@link sendControl} does. */
export type ControlClient = {
  readonly [I in OperationId]: (
    ...args: object extends ControlInput<I>
      ? [input?: ControlInput<I>, settings?: RequestSettings]
      : [input: ControlInput<I>, settings?: RequestSettings]
  ) => Promise<ControlOutput<I>>;
};

/**
 * Creates a client of the control API.
 * @param url base URL of an emulator, without a slash at the end
 */
export function controlClient(url: string, settings: ControlSettings = {}): ControlClient {
  const methods = Object.entries(OPERATIONS).map(([id, name]) => {
    const operation = name.replace(' ', ' /_emulator/');
    const send = (input?: object, request?: RequestSettings) =>
      sendOperation(url, operation, input, { ...settings, ...request });
    return [id, send] as const;
  });
  return Object.assign(Object.create(null), Object.fromEntries(methods));
}
