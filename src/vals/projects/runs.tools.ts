import { type Static, Type } from 'typebox';
import { Choice } from '#engine/schema/common.js';
import { mapOf } from '#engine/schema/schema.js';
import { badRequest } from '#engine/state/errors.js';
import type { State } from '#vals/lib/state.collection.js';
import { BranchName, getBranchOf, getNamedProject, Path, tool, Val } from '#vals/lib/tool.tools.js';
import { getFile } from './files.rules.js';
import type { Branch, Project } from './project-records.collection.js';
import type { SeededResponse } from './response-records.collection.js';

/** Why nothing runs, and what to do. */
const NOT_RUN =
  'The emulator runs no code. Run the file with Deno or Node.js, with its API base URL set to the emulator, or seed what it would respond.';

const file = { val: Val, path: Path, branch: BranchName };

/** The tools that run a file. */
export const RunKind = Choice(['fetch_val_endpoint', 'run_file'], {});
export type RunKind = Static<typeof RunKind>;

/** Says that nothing has run. */
const SEEDED = { seeded: true };

const toRun = ({ result, error, logs }: SeededResponse): object => ({
  ...(error === null ? { value: result } : { type: 'error', message: error }),
  logs,
  ...SEEDED,
});

function toFetched({ result, error, status, logs }: SeededResponse): object {
  const value = error ?? result;
  const isText = typeof value === 'string';
  const type = isText ? 'text/plain;charset=UTF-8' : 'application/json';
  return {
    status,
    headers: value === null ? {} : { 'content-type': type },
    body: value === null ? '' : isText ? value : JSON.stringify(value),
    truncated: false,
    logs,
    ...SEEDED,
  };
}

/** Returns what a file responds by the fixtures. @throws ApiError 404 for an unknown file, and 400 without a response */
export function respond(state: State, project: Project, branch: Branch, kind: RunKind, path: string): object {
  const { type } = getFile(branch.files.tree, path);
  const isFetch = kind === 'fetch_val_endpoint';
  if (isFetch && type !== 'http') throw badRequest(`A file of the type ${type} has no endpoint: ${path}`);
  if (type === 'file' || type === 'directory') throw badRequest(`A ${type} does not run: ${path}`);
  const response = findResponse(state, project, branch.name, path);
  if (!response) throw badRequest(NOT_RUN);
  return (isFetch ? toFetched : toRun)(response);
}

export const runTools = [
  tool('run_file', 'Run a file. The emulator runs no code: it returns what is seeded for the file, or says so.', {
    input: Type.Object(file),
    hints: ['openWorld'],
    scope: 'project:write',
    // It changes no record here, but is not read-only.
    plans: true,
    handle({ state, caller, args: { val, path, branch } }) {
      const project = getNamedProject({ state, caller }, val);
      return { read: { value: respond(state, project, getBranchOf(state, project, branch), 'run_file', path) } };
    },
  }),
  tool('fetch_val_endpoint', 'Send a request to the endpoint of a file, which returns what is seeded for the file.', {
    input: Type.Object({
      ...file,
      pathname: Type.Optional(Type.String({ description: 'Path below the endpoint. Default: /' })),
      search: Type.Optional(Type.String({ description: 'Query, as in ?a=b' })),
      method: Type.Optional(Choice(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], {})),
      headers: Type.Optional(mapOf(Type.String())),
      body: Type.Optional(Type.String()),
    }),
    hints: ['openWorld'],
    guessed: ['method', 'headers', 'body', 'branch'],
    scope: 'project:write',
    // It changes no record here, but is not read-only.
    plans: true,
    handle({ state, caller, args: { val, path, branch } }) {
      const project = getNamedProject({ state, caller }, val);
      const value = respond(state, project, getBranchOf(state, project, branch), 'fetch_val_endpoint', path);
      return { read: { value } };
    },
  }),
];

/** Finds what a file responds when it is run: on its branch, else on each. */
const findResponse = (
  { responses }: State,
  { id }: Project,
  branch: string,
  file: string,
): SeededResponse | undefined => responses.by.file.get([id, file, branch]) ?? responses.by.file.get([id, file, '']);
