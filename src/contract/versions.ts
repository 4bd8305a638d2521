import * as z from 'zod';
import { toTimestamp } from '../domain/clock.js';
import type { Version } from '../domain/versions.js';
import { named } from './components.js';
import { integerParameter } from './fields.js';
import { Json } from './json.js';
import { kept } from './kept.js';
import { ValPath } from './vals.js';

export const VersionPath = ValPath.extend({
  version: integerParameter(z.int().min(0)).describe('Number of a version'),
});

/** A version in a list. */
export const VersionItem = named(
  'Version',
  z.strictObject({
    val_id: z.guid(),
    version: z.int().min(0),
    createdAt: z.iso.datetime(),
  }),
);

/** A version in a list. */
export const versionView = kept(
  [],
  () => [],
  (version: Version) =>
    Json.of({ val_id: version.valId, version: version.version, createdAt: toTimestamp(version.createdAt) }),
);
