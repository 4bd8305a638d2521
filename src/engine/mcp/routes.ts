import { Type } from 'typebox';
import type { HttpRequest } from '../api/http-request.js';
import type { Route } from '../api/route.js';
import { findCallError } from '../api/tool-route.js';

/** Makes the route of a request that calls no tool. @param name as the journal has it: `POST /mcp` */
export const makeRoute = (
  name: string,
  auth: Route['auth'],
  handle: () => unknown,
  status: 200 | 202 = 200,
): Route => ({
  ...{ name, id: 'message', method: 'POST', path: '', summary: name, auth, validators: {} },
  ...{ response: Type.Unknown(), status, errors: [], bodyType: 'bytes', plans: true },
  findError: findCallError,
  handle: () => ({ read: { value: handle() } }),
});

/** Headers that the protocol reads. */
const READ = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name'];

/** Selects the headers of a request that the protocol reads. */
export const toOwnHeaders = ({ header }: HttpRequest): Record<string, string> =>
  Object.fromEntries(
    READ.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
