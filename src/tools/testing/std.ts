import { findUrl, NoEmulatorError, usePlace } from '#tools/std/place.js';
import { type InArgs, toArguments, type WireArguments } from '#tools/std/sqlite-requests.js';
import {
  type ConnectOptions,
  connect,
  type RemoteSandbox,
  type RemoteSeed,
  type Row,
  type RowsOptions,
} from '../client/index.js';

export type { RemoteSandbox, RemoteSeed, Row } from '../client/index.js';

export interface UseOptions extends ConnectOptions {
  /** Seed data of the sandbox. Default: the seed of the emulator */
  readonly fixtures?: RemoteSeed | undefined;
  /** Username or id of the user as whom the standard library sends its requests. Default: the first one */
  readonly user?: string | undefined;
  /** URL of the running emulator. Default: `VAL_EMULATOR_URL` */
  readonly url?: string | undefined;
  /** What the sandbox is named after. Default: val */
  readonly title?: string | undefined;
}

/** A sandbox of the running emulator, which the standard library uses. */
export interface ValSandbox extends RemoteSandbox {
  /** Runs a statement that reads on the database of the user, and returns its rows. @throws ControlError for a wrong one */
  rows(sql: string, args?: InArgs | WireArguments, options?: RowsOptions): Promise<Row[]>;
  /** Lets the standard library send its requests as another user from now on. @throws TypeError for an unknown one */
  as(user: string): Promise<void>;
}

/**
 * Opens a sandbox of the running emulator, which `std/sqlite`, `std/blob` and `std/email` use from now on. Modules of vals
 * that use them while they are loaded are imported after it, by `await import`. Under `Deno.test` it is closed after
 * the tests of the file; elsewhere by `close()` or `await using`.
 * @throws NoEmulatorError if no emulator is known or responds
 */
export async function useEmulator(given: UseOptions = {}): Promise<ValSandbox> {
  // Not in the parameters: Deno infers the types of a served module from them.
  const { fixtures, user, url, title = 'val', ...options } = given;
  const address = url ?? findUrl('useEmulator', import.meta.url);
  const sandbox = await connect(address, options).sandbox({ title });
  if (fixtures !== undefined) await sandbox.reseed(fixtures);
  return await useSandbox(sandbox, user);
}

/**
 * Lets the standard library use a sandbox from now on: one of `connect`, or of the helper of a test runner.
 * @param user username or id. Default: the first user
 * @throws TypeError for an unknown user
 */
export async function useSandbox(sandbox: RemoteSandbox, user?: string): Promise<ValSandbox> {
  let owner = await setUser(sandbox, user);
  registerEnd(() => sandbox.close());
  const readRows = sandbox.rows.bind(sandbox);
  return Object.assign(sandbox, {
    rows: (sql: string, args?: InArgs | WireArguments, options?: RowsOptions) =>
      readRows(sql, args && toArguments(args), { owner, ...options }),
    async as(name: string) {
      owner = await setUser(sandbox, name);
    },
  });
}

/** Returns the id of the user; undefined without users. */
async function setUser(
  sandbox: Pick<RemoteSandbox, 'url' | 'users'>,
  name: string | undefined,
): Promise<string | undefined> {
  const users = await sandbox.users;
  const user = name === undefined ? users[0] : users.find(({ username, id }) => username === name || id === name);
  if (!user && name !== undefined) {
    const known = users.map(({ username, id }) => username ?? id).join(', ');
    throw new TypeError(`user: there is no ${JSON.stringify(name)}; expected one of ${known || 'none'}.`);
  }
  usePlace({ url: sandbox.url, token: user?.token ?? '' });
  return user?.id;
}

export { NoEmulatorError };

/** Lets `Deno.test` end a sandbox after the tests of the file, where it has such a hook. */
function registerEnd(end: () => Promise<void>): void {
  const deno: unknown = Reflect.get(globalThis, 'Deno');
  const test: unknown = typeof deno === 'object' && deno !== null && 'test' in deno ? deno.test : undefined;
  if (typeof test !== 'function' || !('afterAll' in test) || typeof test.afterAll !== 'function') return;
  test.afterAll(end);
}
