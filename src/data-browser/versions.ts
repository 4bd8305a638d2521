import { exportVersion, sortBySerial } from '../fixtures/export.js';
import { insert } from '../fixtures/insert.js';
import { getValReference } from '../fixtures/references.js';
import { validators } from '../fixtures/schema.js';
import { FixtureError } from '../lib/errors.js';
import { getVal } from '../model/vals.js';
import { deleteVersion, listVersions } from '../model/versions.js';
import { createAdapter } from './resource-adapter.js';

/** All versions, including the latest of each val. Their id consists of the id of the val and the number. */
export const versions = createAdapter({
  collection: 'versions',
  references: { val: 'valId' },
  list: (state) => sortBySerial(state.vals).flatMap((val) => [...listVersions(state, val)].reverse()),
  find(state, id) {
    const [valId = '', number = ''] = id.split(':');
    return state.versions.get(valId, Number(number));
  },
  toRow: (state, version) => ({
    id: `${version.valId}:${version.version}`,
    ...exportVersion(state, version),
    valId: version.valId,
  }),
  put(draft, fixture, now, old) {
    return insert(draft, 'version', validators.versions, fixture, now, (factory, row) => {
      const val = factory.references.findVal(row.record.val, `${row.path}.val`);
      if (!val) return undefined;
      const number = row.record.version ?? old?.version ?? val.nextVersion;
      if (old) draft.versions = draft.versions.delete(old);
      if (draft.versions.get(val.id, number)) {
        return factory.problems.report(`${row.path}.version`, `${number} is taken; expected another one.`);
      }
      const version = factory.version(row, val.id, number, old?.createdAt ?? now);
      draft.versions = draft.versions.put(version);
      const latest = listVersions(draft, val).first ?? version;
      draft.vals = draft.vals.put({ ...val, latest, nextVersion: Math.max(val.nextVersion, number + 1) });
      return version;
    });
  },
  remove(draft, version) {
    const val = getVal(draft, version);
    if (listVersions(draft, val).length === 1) {
      const message = `the only one of ${getValReference(draft, val)}; expected another one to be left, or the val to be deleted.`;
      throw new FixtureError([{ path: 'version', message }], 'version');
    }
    deleteVersion(draft, val, version.version);
  },
});
