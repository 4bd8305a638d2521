import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sendOperation } from '../control/send.js';
import { reasonFor } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import type { OwnTool } from './own-tool.js';
import { formatResult } from './results.js';

const SESSION = 'GET /_emulator/session';

/** The tool that no route has, since only a program of this machine may write its files. */
export const SAVE_SESSION: OwnTool = {
  name: 'save_session',
  description: 'Write the session to a file `*.ndjson`, for `start --session`',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      overwrite: { type: 'boolean' },
      sandbox: { type: 'string' },
    },
    required: ['path'],
  },
  annotations: { destructiveHint: false },
  async call(args, { url, settings, isLocal }) {
    if (!isLocal) throw new Error(NO_FILES);
    return formatResult(await saveSession(String(await sendOperation(url, SESSION, {}, settings)), args));
  },
};

/** Why a client of another machine gets no file. */
const NO_FILES =
  'Files are written for clients on the machine of the emulator only: val-emulator record --url URL --out FILE writes one elsewhere.';

/** The extension keeps a client from making files that other programs read, such as those of a shell. */
const EXTENSION = '.ndjson';

/**
 * Writes a session to a file, by default a new one.
 * @throws Error for another extension, a missing folder, and a file that exists
 */
async function saveSession(session: string, { path, overwrite }: Readonly<Record<string, unknown>>) {
  if (typeof path !== 'string' || !path.endsWith(EXTENSION))
    throw new Error(`path: found ${formatValue(path)}; expected a file that ends in ${EXTENSION}.`);
  const file = resolve(path);
  try {
    await writeFile(file, session, { flag: overwrite === true ? 'w' : 'wx' });
  } catch (error) {
    const code = isObject(error) ? error.code : undefined;
    if (code === 'EEXIST') throw new Error(`path: ${file} exists. Name another file, or pass "overwrite": true.`);
    if (code === 'ENOENT') throw new Error(`path: there is no folder ${dirname(file)}. Create it first.`);
    throw new Error(`path: cannot write ${file} (${reasonFor(error)}).`);
  }
  return { path: file, bytes: Buffer.byteLength(session) };
}
