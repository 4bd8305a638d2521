import { type Static, Type } from 'typebox';
import { OptionsError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { type Instant, LATEST, toTimestamp } from '../lib/time.js';
import { Nullable, Timestamp, Url } from '../schema/common.js';
import { record } from '../schema/schema.js';
import { type Sandbox, sandboxUrl } from './sandbox.js';

const OWNER = /^.{1,100}$/su;
/** Who a sandbox is for. */
export const Owner = Type.String({
  minLength: 1,
  maxLength: 100,
  expected: '1 to 100 characters',
  description: 'Such as a CI job',
});

const sandboxRecord = record('SandboxUse', {
  name: Type.String(),
  url: Url,
  owner: Type.Union([Type.String(), Type.Null()], { description: 'Who it is for; null for none' }),
  forkedFrom: Nullable(
    Type.Object(
      {
        sandbox: Type.String({ description: 'Name of the sandbox; empty for the default one' }),
        commit: Nullable(Type.String({ description: 'Its last commit then; null before the first one' })),
      },
      { description: 'The state that it was forked from; null if it was not' },
    ),
  ),
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

/** @internal Returns when a sandbox expires unless it is used before; Infinity for never. @param idle as of {@link toSandboxRecord} */
export function findExpiry({ meta: { lastUse, kept, expiresAt } }: Sandbox, idle: number): Instant {
  const end = idle === 0 || kept ? Number.POSITIVE_INFINITY : lastUse + idle;
  return Math.min(end, expiresAt ?? end);
}

/** @param idle milliseconds after which an idle sandbox expires; 0 for never */
export function toSandboxRecord(sandbox: Sandbox, origin: string, idle: number): SandboxRecord {
  const { name, journal } = sandbox;
  const { origin: made, lastUse, kept } = sandbox.meta;
  const expiry = findExpiry(sandbox, idle);
  const { count: requests, size: journalSize } = journal;
  return {
    name,
    url: sandboxUrl(origin, name),
    owner: made.owner,
    forkedFrom: made.forkedFrom ?? null,
    createdAt: toTimestamp(made.createdAt),
    lastUse: toTimestamp(lastUse),
    expiresAt: expiry > LATEST ? null : toTimestamp(expiry),
    requests,
    journalSize,
    kept,
  };
}
