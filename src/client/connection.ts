import { ApiError, type Problem } from '../lib/errors.js';
import { NDJSON } from '../lib/media-types.js';
import { isAsymmetricMatcher, isObject } from '../lib/objects.js';

export interface ConnectOptions {
  /** The `controlToken` of the emulator. Needed from another machine, unless its network is allowed. */
  readonly controlToken?: string | undefined;
}

/** The control API of a running emulator refused a request. Nothing has changed then. */
export class ControlError extends ApiError {
  override name = 'ControlError';
  /** All errors of the input, with their paths; empty if the input is not the reason. */
  readonly problems: readonly Problem[];

  constructor(status: number, message: string, problems: readonly Problem[] = []) {
    super(status, message);
    this.problems = problems;
  }
}

/** Requests to the control API of a running emulator. */
export class Connection {
  /** Base URL of the emulator, without a slash at the end. */
  readonly base: string;
  readonly #controlToken: string | undefined;

  constructor(base: string, { controlToken }: ConnectOptions) {
    this.base = base;
    this.#controlToken = controlToken;
  }

  /**
   * Sends a request. The shape of a response with success is that of the control API's document.
   * @param url base URL of the emulator or of a sandbox
   * @param path below `/_emulator`
   * @throws ControlError with the status and the message of the emulator
   * @throws TypeError for a body that is not JSON
   * @throws Error when no val-emulator responds
   */
  async send<T>(url: string, method: string, path: string, body?: unknown): Promise<T> {
    const { status, text } = await this.#request(url, method, path, body);
    try {
      const value = text === '' ? undefined : JSON.parse(text);
      if (status < 300) return value;
      if (isErrorBody(value)) throw toError(url, status, value);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new Error(`${url} is not a val-emulator: ${method} /_emulator${path} responded ${status}.`);
  }

  /** Gets a text that is not JSON. Throws as {@link send} does. */
  async getText(url: string, path: string): Promise<string> {
    const { status, text, type } = await this.#request(url, 'GET', path);
    return status === 200 && type?.startsWith(NDJSON) ? text : this.send(url, 'GET', path);
  }

  async #request(url: string, method: string, path: string, body?: unknown) {
    const content = body === undefined ? null : toJson(body);
    const headers = {
      ...(content === null ? {} : { 'content-type': 'application/json' }),
      ...(this.#controlToken === undefined ? {} : { 'x-emulator-control-token': this.#controlToken }),
    };
    return await fetch(`${url}/_emulator${path}`, { method, headers, body: content })
      .then(async (response) => ({
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      }))
      .catch((error: unknown) => {
        throw new Error(`No emulator at ${url}: ${describeFailure(error)}. Start one (val-emulator start).`, {
          cause: error,
        });
      });
  }
}

/** Writes JSON. @throws TypeError for a matcher of a test runner, which is a function of this process */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (key, field: unknown) => {
    if (!isAsymmetricMatcher(field)) return field;
    const where = key === '' ? '' : `${key}: `;
    throw new TypeError(`${where}found an asymmetric matcher; expected JSON, since the emulator runs elsewhere.`);
  });

interface ErrorBody {
  readonly message: string;
  readonly problems?: readonly Problem[];
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  isObject(value) && typeof value.message === 'string' && typeof value.statusCode === 'number';

function toError(url: string, status: number, { message, problems }: ErrorBody): ControlError {
  const isMissing = status === 404 && /^Route .* not found$/.test(message);
  if (!isMissing) return new ControlError(status, message, problems);
  return new ControlError(
    404,
    `No control API at ${url}. Start the emulator without --no-control, or correct the URL.`,
  );
}

/** Describes why `fetch` failed. In Node, the cause of the error says it. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
