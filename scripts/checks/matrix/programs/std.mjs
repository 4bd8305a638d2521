import assert from 'node:assert/strict';
import { createEmulator } from 'val-emulator';
import { blob, ValTownBlobError, ValTownBlobNotFoundError } from 'val-emulator/std/blob';
import { email } from 'val-emulator/std/email';
import { fetch as stdFetch } from 'val-emulator/std/fetch';
import * as oauth from 'val-emulator/std/oauth/middleware';
import { rpc } from 'val-emulator/std/rpc';
import { LibsqlError, sqlite } from 'val-emulator/std/sqlite';
import mainByDefault, { sqlite as main } from 'val-emulator/std/sqlite/main';
import { useEmulator } from 'val-emulator/std/test';
import * as utils from 'val-emulator/std/utils';
import { cases, runCase } from './std-cases.mjs';

await assert.rejects(sqlite.execute('SELECT 1'), { name: 'NoEmulatorError', message: /val-emulator exec/ });
await assert.rejects(import('val-emulator/std/api-url'), { name: 'NoEmulatorError' });

const emulator = await createEmulator();
const std = {
  blob,
  ValTownBlobError,
  ValTownBlobNotFoundError,
  email,
  rpc,
  LibsqlError,
  sqlite,
  main,
  mainByDefault,
  oauth,
  stdFetch,
  utils,
};
for (const name of Object.keys(cases)) {
  await runCase(name, std, useEmulator, emulator.url).catch((error) => {
    throw new Error(name, { cause: error });
  });
}
await emulator.close();
