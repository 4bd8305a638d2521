import { Type } from 'typebox';
import { record } from '../../lib/schema.js';
import { toTimestamp } from '../../lib/time.js';
import type { Version } from '../../model/schema.js';
import { Id, Timestamp, uuid } from './common.js';

export const VersionPath = Type.Object({
  val_id: uuid('Id of a val'),
  version: Type.Integer({ minimum: 0, description: 'Number of a version' }),
});

/** A version in a list. */
export const VersionItem = record('Version', {
  val_id: Id,
  version: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp,
});

export const versionView = ({ valId, version, createdAt }: Version) => ({
  val_id: valId,
  version,
  createdAt: toTimestamp(createdAt),
});
