import { type Static, Type } from 'typebox';
import { Timestamp, Url } from '../api/schemas/common.js';
import { OptionsError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { record } from '../lib/schema.js';
import { toTimestamp } from '../lib/time.js';
import { type Sandbox, sandboxUrl } from './sandbox.js';

const OWNER = /^.{1,100}$/su;
/** Who a sandbox is for. */
export const Owner = Type.String({
  minLength: 1,
  maxLength: 100,
  expected: '1 to 100 characters',
  description: 'Who it is for, such as a CI job',
});

const sandboxRecord = record('SandboxUse', {
  name: Type.String(),
  url: Url,
  owner: Type.Union([Type.String(), Type.Null()], { description: 'Who it is for; null for none' }),
  createdAt: Timestamp,
  lastUse: Timestamp,
  expiresAt: Type.Union([Timestamp, Type.Null()], {
    description: 'When it expires unless it is used before; null for never',
  }),
  requests: Type.Integer({ description: 'Number of requests to the API since its start or last reset' }),
  journalSize: Type.Integer({ description: 'Bytes of the paths, headers and bodies in its journal' }),
  kept: Type.Boolean({ description: 'Whether the data folder keeps it when the emulator ends' }),
});
/** A sandbox with its use. */
export interface SandboxRecord extends Static<typeof sandboxRecord> {}
export const SandboxRecord = Type.Unsafe<SandboxRecord>(sandboxRecord);

/** @throws OptionsError */
export function assertOwner(owner: string | undefined): void {
  if (owner === undefined || OWNER.test(owner)) return;
  throw new OptionsError([{ path: 'owner', message: `found ${formatValue(owner)}; expected 1 to 100 characters.` }]);
}

/** @param idle milliseconds after which an idle sandbox expires; 0 for never */
export function toSandboxRecord(sandbox: Sandbox, origin: string, idle: number): SandboxRecord {
  const { name, journal } = sandbox;
  const { owner, createdAt, lastUse, kept } = sandbox.meta;
  const { count: requests, size: journalSize } = journal;
  return {
    name,
    url: sandboxUrl(origin, name),
    owner,
    createdAt: toTimestamp(createdAt),
    lastUse: toTimestamp(lastUse),
    expiresAt: idle === 0 || kept ? null : toTimestamp(lastUse + idle),
    requests,
    journalSize,
    kept,
  };
}
