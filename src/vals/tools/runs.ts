import { Type } from 'typebox';
import { Choice } from '#engine/api/schemas/common.js';
import { mapOf } from '#engine/lib/schema.js';
import { toTimestamp } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';
import { findFile, getFile } from '../model/files.js';
import { BranchName, getBranchOf, getVal, limit, Path, tool, Val } from './tool.js';

/** Why nothing runs, and what to do. */
export const NOT_RUN =
  'The emulator runs no code. Run the file with Deno or Node.js, with its API base URL set to the emulator, or seed what it would respond.';

const file = { val: Val, path: Path, branch: BranchName };

/** Telemetry is kept for an hour. */
const WINDOW_MS = 3_600_000;

const Time = (description: string) => Type.Optional(Type.String({ description }));
const telemetry = {
  fileId: Type.String({ description: 'Id of a file, as list_files returns it' }),
  start: Time('Default: an hour before the end'),
  end: Time('Default: now'),
  limit: limit(100, 20),
};

export const runTools = [
  tool('run_file', 'Run a file. The emulator runs no code, and says so.', {
    input: Type.Object(file),
    hints: ['openWorld'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args: { val, path, branch } }) {
      const { type } = getFile(getBranchOf(state, getVal({ state, caller }, val), branch).files.tree, path);
      if (type === 'file' || type === 'directory') throw badRequest(`A ${type} does not run: ${path}`);
      throw badRequest(NOT_RUN);
    },
  }),
  tool('fetch_val_endpoint', 'Send a request to the endpoint of a file. The emulator runs no code, and says so.', {
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
    writes: true,
    handle({ state, caller, args: { val, path, branch } }) {
      const { type } = getFile(getBranchOf(state, getVal({ state, caller }, val), branch).files.tree, path);
      if (type !== 'http') throw badRequest(`A file of the type ${type} has no endpoint: ${path}`);
      throw badRequest(NOT_RUN);
    },
  }),
  tool('get_logs', 'Read the last logs of a file.', {
    input: Type.Object({
      ...telemetry,
      traceIds: Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: 'Only logs of these traces' })),
    }),
    guessed: ['start', 'limit'],
    scope: 'telemetry:read',
    handle({ state, caller, args: { fileId }, now }) {
      findFile(state, fileId, caller);
      return { fileId, timeWindow: toWindow(now), count: 0, truncated: false, logs: [] };
    },
  }),
  tool('get_traces', 'List the last traces of a file, newest first.', {
    input: Type.Object(telemetry),
    guessed: ['start', 'end', 'limit'],
    scope: 'telemetry:read',
    handle({ state, caller, args: { fileId }, now }) {
      const { path } = findFile(state, fileId, caller).file;
      return { fileId, fileName: path, timeWindow: toWindow(now), count: 0, truncated: false, traces: [] };
    },
  }),
];

const toWindow = (now: number) => ({ start: toTimestamp(now - WINDOW_MS), end: toTimestamp(now) });
