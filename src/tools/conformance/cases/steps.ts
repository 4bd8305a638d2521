import type { JsonSchema, Row, Sender, Step } from '../case.js';
import { shows } from './schemas.js';

/** The fields of a new val. */
export const fields = (others: object = {}) => ({ name: '{new.a}', code: 'export const a = 1;', ...others });
export const post = (others: object = {}, as?: Sender): Step => send('POST /v1/vals', fields(others), as);
/** Creates a val, which later steps find as `made`. */
export const make = (others: object = {}): Step => ({ ...post(others), save: 'made' });
/** Updates the val `made` by its name, or creates it. */
export const put = (others: object = {}, as?: Sender): Step => send('PUT /v1/vals', fields(others), as);

export const send = (request: string, body: unknown, as?: Sender): Step => ({
  ...{ send: request, body },
  ...(as && { as }),
});

// Requests for the val `made`.
export const READ = 'GET /v1/vals/{made.id}';
export const LIST_VERSIONS = `${READ}/versions`;
export const DELETE = 'DELETE /v1/vals/{made.id}';
export const deleteVersion = (version: number) => `${DELETE}/versions/${version}`;
export const update = (settings: object, as?: Sender): Step => send('PUT /v1/vals/{made.id}', settings, as);
export const addVersion = (code: string, others: object = {}, as?: Sender): Step =>
  send('POST /v1/vals/{made.id}/versions', { code, ...others }, as);

/** An email to the user of the account. */
export const MINIMAL_EMAIL = { subject: 'val-emulator conformance', text: 'It tests the route of emails.' };

/** The key of a blob that the cases write and delete. */
export const BLOB_KEY = 'conformance%2F{hex}';
/** Stores text with a media type, by the route of accounts or the one of projects. */
export const storeBlobAt =
  (path: string) =>
  (content: string, type = 'application/octet-stream', key = BLOB_KEY): Step => ({
    ...{ send: `POST ${path}/${key}`, text: content, headers: { 'content-type': type } },
  });

/** A check of a body that must be refused. */
export const refuses = (body: unknown, request = 'POST /v1/vals'): Row => [send(request, body), 400];

/** A check that a response agrees with earlier ones. @param reads requests, by the names of their responses */
export const agrees = (reads: Readonly<Record<string, string>>, act: Step | string, body: JsonSchema): Row => [
  [...Object.entries(reads).map(([save, send]) => ({ send, save })), act],
  shows(body),
];
