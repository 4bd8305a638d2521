import { isWhole } from '../../../../src/engine/journal/bodies.js';
import { toLiteral } from '../../../../src/engine/make-test/literal.js';
import type { ApiRequest } from '../../lib/api.js';
import { isBase64, toBytes } from '../../lib/base64.js';
import type { RequestRecord } from '../../lib/types.js';

// A request of the journal as code.

const KEPT_HEADERS = ['authorization', 'content-type', 'accept'];

/** The headers that matter to the emulator: without those that a browser or curl sets. The sandbox is in the address. */
const keptHeaders = ({ request: { headers } }: RequestRecord): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        (KEPT_HEADERS.includes(name) && value !== '*/*') ||
        (name.startsWith('x-emulator-') && name !== 'x-emulator-sandbox'),
    ),
  );

/** Whether the journal has the whole body. JSON that was cut is a text. */
export const hasWholeBody = ({ request: { body } }: RequestRecord): boolean =>
  isWhole(isBase64(body) ? toBytes(body) : typeof body === 'string' ? body : undefined);

/** The body to send; undefined for none. The journal parses bodies: what looks the same as sent has another length. */
function bodyOf({ request: { body, headers } }: RequestRecord): ApiRequest['body'] {
  const length = Number(headers['content-length']);
  const json = JSON.stringify(body);
  const isJson = new Blob([json]).size === length;
  if ((typeof body === 'string' || isBase64(body)) && !isJson) return body;
  const isNull = body === null && !(length > 0);
  return isNull ? undefined : json;
}

/** The request as one that can be sent. */
export const toApiRequest = (record: RequestRecord): ApiRequest => ({
  method: record.method,
  path: record.path,
  headers: keptHeaders(record),
  body: bodyOf(record),
});

/** Writes the body of a request as code, unless there is none. @param bytes writes bytes, and `write` what JSON has */
function toBodyCode(
  { request }: RequestRecord,
  body: ApiRequest['body'],
  bytes: (base64: string) => string,
  write: (value: unknown) => string,
): string[] {
  if (body === undefined) return [];
  if (typeof body === 'object') return [`body: ${bytes(body.base64)}`];
  return [typeof request.body === 'string' ? `body: ${write(body)}` : `body: JSON.stringify(${write(request.body)})`];
}

export function toFetch(record: RequestRecord, base: string): string {
  const { method, path } = record;
  const headers = keptHeaders(record);
  const body = bodyOf(record);
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${toLiteral(method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${toLiteral(headers, '  ')}`]),
    ...toBodyCode(
      record,
      body,
      (base64) => `Uint8Array.from(atob(${toLiteral(base64)}), (character) => character.charCodeAt(0))`,
      (value) => toLiteral(value, '  '),
    ),
  ];
  const options = lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line},\n`).join('')}}`;
  return `const response = await fetch(${toLiteral(base + path)}${options});`;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** The assertion that the request was sent. */
export function toExpectation(record: RequestRecord): string {
  const { route, params, query, user, status, request } = record;
  const expectation = {
    times: 1,
    ...(user === null ? {} : { user }),
    status,
    ...(isEmpty(params) ? {} : { params }),
    ...(isEmpty(query) ? {} : { query }),
    ...(request.body === null || !hasWholeBody(record) ? {} : { body: request.body }),
  };
  return `emulator.expectRequest(${toLiteral(route)}, ${toLiteral(expectation)});`;
}

/** The call that arms a fault for such requests. */
export function toFail({ route, user, status }: RequestRecord): string {
  const effect = status === 0 ? { reset: true } : { status: status >= 400 ? status : 503 };
  return `emulator.fail(${toLiteral(route)}, ${toLiteral({ ...effect, times: 1, ...(user === null ? {} : { user }) })});`;
}
