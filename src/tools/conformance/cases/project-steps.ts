import type { Rows, Sender, Step } from '../case.js';
import { errorBody, having } from './schemas.js';
import { send } from './steps.js';

export const NEW_PROJECT = { name: '{new.a}', privacy: 'public', description: 'Of a check' };
/** Creates a project, which later steps find as `made`. */
export const makeProject = (others: object = {}, as?: Sender): Step => ({
  ...send('POST /v2/vals', { ...NEW_PROJECT, ...others }, as),
  save: 'made',
});

// Requests for the project `made`.
export const PROJECT = '/v2/vals/{made.id}';
/** Finds the branches, of which the first is `main`. */
export const findMain: Step = { send: `GET ${PROJECT}/branches`, save: 'branches' };
export const MAIN_ID = '{branches.data.0.id}';
/** Creates a branch, which later steps find as `fork`. */
export const fork = (others: object = {}, as?: Sender): Step => ({
  ...send(`POST ${PROJECT}/branches`, { name: 'draft', ...others }, as),
  save: 'fork',
});
/** Creates a file, which later steps find as `file`. */
export const addFile = (path: string, others: object = {}, as?: Sender): Step => ({
  ...send(`POST ${PROJECT}/files?path=${path}`, { type: 'script', content: '1', ...others }, as),
  save: 'file',
});
/** Creates a file of a type that has a further link, which later steps find by the name of the type. */
export const addLinked = (type: 'http' | 'email'): Step => ({ ...addFile(`${type}.ts`, { type }), save: type });
export const addFolder = (path: string): Step => ({
  ...send(`POST ${PROJECT}/files?path=${path}`, { type: 'directory' }),
  save: 'file',
});
export const changeFile = (path: string, body: object, as?: Sender): Step =>
  send(`PUT ${PROJECT}/files?path=${path}`, body, as);
export const deleteFile = (path: string): string => `DELETE ${PROJECT}/files?path=${path}`;
export const listFiles = (query: string): string => `GET ${PROJECT}/files?${query}`;
export const readFile = (query: string): string => `GET ${PROJECT}/files/content?path=${query}`;
export const VARIABLES = `${PROJECT}/environment_variables`;
/** Creates an environment variable, which later steps find as `variable`. */
export const addVariable = (others: object = {}, as?: Sender): Step => ({
  ...send(`POST ${VARIABLES}`, { key: 'KEY', value: '1', ...others }, as),
  save: 'variable',
});

/** A response with one error, by its text. */
export const fails = (status: number, message: string) => ({
  ...{ status, body: { allOf: [errorBody(status), having({ message })] } },
});
export const NOT_AUTHORIZED = fails(404, 'Not authorized: the project has another owner');

/** A page with exactly these items. */
export const exactPage = (...items: readonly unknown[]) => ({ status: 200, body: having({ data: { const: items } }) });
/** A page whose items have these values, in this order. */
export const pageInOrder = (...items: readonly object[]) => ({
  status: 200,
  body: having({
    data: {
      ...{ type: 'array', minItems: items.length, maxItems: items.length },
      ...(items.length > 0 && { items: items.map((item) => having({ ...item })) }),
    },
  }),
});

/** Checks who can read what belongs to a project. @param arrange what is read, after the project is there */
export const visible = (read: string, arrange: readonly Step[] = [], isText = false): Rows =>
  Object.fromEntries(
    (
      [
        ['public', 'second', 200],
        ['public', 'anonymous', 200],
        ['unlisted', 'second', 200],
        ['private', 'second', 404],
        ['private', 'anonymous', 404],
      ] as const
    ).map(([privacy, as, status]) => [
      `${privacy}-${as}: The ${as === 'second' ? 'second account' : 'public'} ${status === 200 ? 'reads' : 'does not read'} what is ${privacy}`,
      [
        [makeProject({ privacy }), ...arrange, ...(isText ? [] : [{ send: read, save: 'own' }]), { send: read, as }],
        status === 404 ? { status, body: errorBody(404) } : { status, ...(isText ? { hex: '31' } : { equals: 'own' }) },
      ],
    ]),
  );
