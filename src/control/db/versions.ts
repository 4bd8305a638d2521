import { toTimestamp } from '../../domain/clock.js';
import type { State } from '../../domain/state.js';
import { valOf } from '../../domain/vals.js';
import { deleteVersion, type Version, versionsOf } from '../../domain/versions.js';
import { add } from '../../fixtures/add.js';
import { exportVal, exportVersion, inOrder, valRef } from '../../fixtures/export.js';
import { FixtureError } from '../../fixtures/problems.js';
import { COLLECTIONS } from '../../fixtures/schema.js';
import { table } from './table.js';
import { nextVersionOf, oldestFirst, rebuildVal, rowOf } from './vals.js';

/** All versions, also each val's latest. They have no id of their own: it is made of the val's and the number. */
export const versions = table({
  collection: 'versions',
  references: { val: 'valId' },
  all: (state) => inOrder(state.vals).flatMap((val) => oldestFirst(state, val)),
  find: findVersion,
  show: (state, version) => ({
    id: `${version.valId}:${version.version}`,
    ...exportVersion(state, version),
    valId: version.valId,
  }),
  put(state, fixture, now, old) {
    const filled = { createdAt: toTimestamp(old?.createdAt ?? now), ...fixture };
    return add(state, 'version', COLLECTIONS.versions, filled, now, (builder, { record, place }) => {
      const val = builder.findVal(record.val, place('val'));
      if (!val) return undefined;
      const version = record.version ?? old?.version ?? val.nextVersion;
      const others = oldestFirst(state, val).filter((other) => other !== old);
      if (others.some((other) => other.version === version)) {
        return builder.report(place('version'), `${version} is taken; expected another one.`);
      }
      const { code: _code, version: _version, versionCreatedAt: _createdAt, ...settings } = exportVal(state, val);
      const rows = [...others.map(rowOf), { record: { ...record, version }, place }];
      rebuildVal(state, val, { ...settings, nextVersion: nextVersionOf(val, version) }, rows, now);
      return state.versions.get(val.id, version);
    });
  },
  remove(state, version) {
    const val = valOf(state, version);
    if (versionsOf(state, val).length === 1) {
      const message = `the only one of ${valRef(state, val)}; expected another one to be left, or the val to be deleted.`;
      throw new FixtureError([{ place: 'version', message }], 'version');
    }
    deleteVersion(state, val, version.version);
  },
});

function findVersion(state: State, id: string): Version | undefined {
  const [valId = '', number = ''] = id.split(':');
  return state.versions.get(valId, Number(number));
}
