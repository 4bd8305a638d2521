import type { Check } from '../case.js';

/** The fields of a new val. */
export const fields = (others: object = {}) => ({ name: '{new.a}', code: 'export const a = 1;', ...others });
/** Creates a val, which later steps find as `made`. */
export const make = (others: object = {}) => ({ send: 'POST /v1/vals', body: fields(others), save: 'made' });

/** A check of a body that must be refused. */
export const refuses = (id: string, title: string, body: unknown, send = 'POST /v1/vals'): Check => ({
  ...{ id, title, level: 'write' },
  act: { send, body },
  expect: { status: 400 },
});

/** Adds a version to the val `made`. */
export const addVersion = (code: string, others: object = {}) => ({
  send: 'POST /v1/vals/{made.id}/versions',
  body: { code, ...others },
});
