// Where the modules of the standard library send their requests, and as whom. No import: a module is served alone.

/** An emulator, or a sandbox of one, and the token of a user. */
export interface Place {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

/** The place that `useEmulator` has set, on the global object: modules may be loaded by several addresses. */
const USED = Symbol.for('val-emulator.place');

/** The `fetch` of when the first of these modules was loaded, on the global object: tests replace the global one. */
const FETCH = Symbol.for('val-emulator.fetch');
if (!Reflect.has(globalThis, FETCH)) Object.defineProperty(globalThis, FETCH, { value: globalThis.fetch });
export const send: typeof fetch = Reflect.get(globalThis, FETCH);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isPlace = (value: unknown): value is Place =>
  isObject(value) && typeof value.url === 'string' && typeof value.token === 'string';

/** Sets the place of all requests from now on. */
export function usePlace(place: Place | undefined): void {
  Object.defineProperty(globalThis, USED, { value: place, configurable: true });
}

function findUsed(): Place | undefined {
  const value: unknown = Reflect.get(globalThis, USED);
  return isPlace(value) ? value : undefined;
}

/** Reads a variable of the environment: in Deno, Node or Bun. Empty ones count as none. */
export function readVariable(name: string): string | undefined {
  const deno: unknown = Reflect.get(globalThis, 'Deno');
  if (isObject(deno) && isObject(deno.env) && typeof deno.env.get === 'function')
    return deno.env.get(name) || undefined;
  const { env = {} }: { env?: Record<string, string | undefined> } = Reflect.get(globalThis, 'process') ?? {};
  return env[name] || undefined;
}

/** The address of an emulator or a sandbox in the address of a module that it has served. */
export const SERVED = /^(https?:\/\/.+?)\/_emulator\/esm\//;

/** No emulator is known to a module. */
export class NoEmulatorError extends Error {
  override name = 'NoEmulatorError';
}

/**
 * Finds where a module sends requests: the sandbox of `useEmulator`, else the emulator that has served the module, else
 * `VAL_EMULATOR_URL`. Never the real service.
 * @param name of the module: `std/sqlite`
 * @param address of the module: `import.meta.url`
 * @throws NoEmulatorError
 */
export function findPlace(name: string, address: string): Place {
  const used = findUsed();
  return used ?? { url: findUrl(name, address), token: findToken() };
}

/** Reads the token of the user. Empty for none. */
export const findToken = (): string =>
  readVariable('valtown') ?? readVariable('VAL_TOWN_API_KEY') ?? readVariable('VAL_EMULATOR_TOKEN') ?? '';

/** Finds the emulator of a module, whatever `useEmulator` has set. @throws NoEmulatorError */
export function findUrl(name: string, address = ''): string {
  const url = SERVED.exec(address)?.[1] ?? readVariable('VAL_EMULATOR_URL')?.replace(/\/+$/, '');
  if (url === undefined) {
    const advice = 'Run the tests by val-emulator exec -- COMMAND, or set VAL_EMULATOR_URL to a running emulator';
    throw new NoEmulatorError(`${name}: no emulator is known. ${advice}.`);
  }
  return url;
}

/**
 * Sends a request to the API of the emulator.
 * @param target path and query
 * @throws NoEmulatorError also if nothing responds
 */
export async function call(name: string, address: string, target: string, init: RequestInit = {}): Promise<Response> {
  const { url, token } = findPlace(name, address);
  const headers = new Headers(init.headers);
  if (token !== '') headers.set('authorization', `Bearer ${token}`);
  try {
    return await send(url + target, { ...init, headers });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const advice = 'Start one (val-emulator start), or run the tests by val-emulator exec -- COMMAND';
    throw new NoEmulatorError(`${name}: no emulator at ${url}. ${advice}.`, { cause });
  }
}

/** Reads the JSON of a response of the emulator, whose shape is known. */
export const readJson = async <T>(response: Response): Promise<T> => JSON.parse(await response.text());

/** Reads why the emulator has refused a request. */
export async function readProblem(response: Response): Promise<{ readonly message: string; readonly code?: string }> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body) && typeof body.message === 'string') {
      return { message: body.message, ...(typeof body.code === 'string' && { code: body.code }) };
    }
  } catch {
    // It is no JSON.
  }
  return { message: text === '' ? `${response.status} ${response.statusText}`.trim() : text };
}

/** Lets the stack of an error begin at the caller of a function: after an await, it may have lost the lines of the val. */
export function startStack(error: Error, from: Pick<Error, 'stack'>): Error {
  const frames = from.stack?.replace(/^(?:(?!\n? +at )[^\n]*\n)+/, '');
  if (frames) error.stack = `${error.name}: ${error.message}\n${frames}`;
  return error;
}

/** Remembers the stack at a call. @param called the function, which the stack does not show */
export function markStack(called: (...args: never[]) => unknown): Pick<Error, 'stack'> {
  const mark: Pick<Error, 'stack'> = new Error();
  if ('captureStackTrace' in Error) Error.captureStackTrace(mark, called);
  return mark;
}
