import { expect, test } from 'vitest';
import { checkConformance } from '../../../src/fidelity/conformance/index.js';
import { buildPlanted, DIFFERENCES } from '../../support/planted.js';
import { TOKENS } from './target.js';

/** The cases that catch each planted difference, in any order. */
const CAUGHT_BY: Readonly<Record<string, readonly string[]>> = {
  'tier-missing': ['getMe/keys'],
  'email-public': ['getUser/keys', 'getUser/keys-for-the-user', 'getUser/keys-for-another'],
  'reference-time-null': [
    'listMyReferences/items',
    'listMyReferences/since',
    'listMyReferences/until',
    'listMyReferences/time',
  ],
  'comment-version-text': ['listMyComments/items', 'listMyComments/same-val'],
  'self-import-counted': ['listMyReferences/itself-in-count'],
  'versions-oldest-first': ['createVersion/in-list', 'listVersions/order', 'upsertVal/times', 'createVersion/times'],
  'since-inclusive': ['listValRuns/since'],
  'until-exclusive': ['listMyRuns/until'],
  'limit-unbounded': ['listUserVals/limit-101'],
  'links-without-parameters': ['listMyComments/link-parameters', 'listMyComments/prev-of-a-part'],
  'private-val-readable': [
    'getVal/private-second',
    'getVal/private-anonymous',
    'getVal/private-second-like-unknown',
    'getVal/private-anonymous-like-unknown',
  ],
  'private-val-in-search': [
    'searchVals/public',
    'searchVals/private-me',
    'searchVals/private-second',
    'searchVals/private-anonymous',
  ],
  'foreign-val-403': [
    'updateVal/of-another',
    'deleteVal/of-another',
    'deleteVal/stays',
    'createVersion/of-another',
    'deleteVersion/of-another',
    'listValRuns/of-another',
    'listValRuns/for-another',
  ],
  'lower-case-scheme-401': ['general/scheme'],
  'origin-header-missing': ['updateVal/headers', 'deleteVal/headers', 'deleteVersion/headers'],
  'alias-case-sensitive': ['getValByName/case'],
  'conflict-as-text': ['createVal/error-409', 'updateVal/error-409', 'createVersion/error-409'],
  'settings-200': ['updateVal/empty', 'updateVal/status', 'updateVal/own-name'],
  'version-number-reused': ['deleteVersion/not-again'],
  'only-version-deleted': ['deleteVersion/only', 'deleteVersion/only-stays'],
};

test.each(DIFFERENCES.map(({ id }) => id))('%s is caught', async (id) => {
  const { createEmulator } = await buildPlanted([id]);
  await using emulator = await createEmulator();
  const { entries } = await checkConformance({ ...TOKENS, url: emulator.url, level: 'limits', timeout: 10_000 });
  const caught = entries.filter(({ outcome }) => outcome !== 'passed').map((entry) => entry.id);
  expect(caught.sort()).toEqual(CAUGHT_BY[id]?.toSorted());
});
