import { Paging, page, pageOf } from '../contract/page.js';
import { anyone, noBody, route, signedIn } from '../contract/route.js';
import { ExtendedVal, extendedValView, NewCode, ValPath } from '../contract/vals.js';
import { VersionItem, VersionPath, versionView } from '../contract/versions.js';
import { findOwnVal, findVal, updateVal } from '../domain/vals.js';
import { addVersion, deleteVersion, findVersion, versionsOf } from '../domain/versions.js';

export const versionRoutes = [
  route({
    method: 'GET',
    path: '/v1/vals/{val_id}/versions',
    summary: 'List versions of a val',
    auth: anyone,
    request: { params: ValPath, query: Paging },
    status: 200,
    answer: pageOf(VersionItem),
    errors: [400, 401, 404],
    rules: {
      specified: ['Versions of a val.'],
      record: [
        'limit and offset are taken, as in every list.',
        'The latest comes first; there is no code in this list.',
        'A token is needed for private vals alone.',
      ],
    },
    handle({ state, caller, params, query, links }) {
      const versions = versionsOf(state, findVal(state, params.val_id, caller));
      return page(versions, query, links, (version) => versionView(state, version));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/vals/{val_id}/versions',
    summary: 'Create a new version of a val',
    auth: signedIn,
    request: { params: ValPath, body: NewCode },
    status: 201,
    answer: ExtendedVal,
    errors: [400, 401, 404, 409],
    rules: {
      specified: [
        'The body has the new code; the path names the val, whatever valId in the body says.',
        'It adds to the list of versions.',
      ],
      record: ['The answer is 201 and the val with its new version.', 'name, readme, privacy and type may come along.'],
      chosen: [
        'Settings that come along are given to the val; those left out keep their values, since editors send the code alone.',
        'There is a new version even if the code is the old one, since creating one adds to the list. Its number is one above the highest that was ever given.',
        "Somebody else's val is a 404, the one error that documents name here.",
      ],
    },
    example: { body: { code: "export const hello = (name: string) => 'Hi, ' + name;" } },
    handle({ state, caller, params, body, now, links }) {
      const val = updateVal(state, findOwnVal(state, params.val_id, caller), body);
      return extendedValView(state, addVersion(state, val, body.code, now), links);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/vals/{val_id}/versions/{version}',
    summary: 'Get one version of a val',
    auth: anyone,
    request: { params: VersionPath },
    status: 200,
    answer: ExtendedVal,
    errors: [400, 401, 404],
    rules: {
      specified: ['Reads one version, by its number.'],
      record: [
        'The answer is the val, with number, code and time of the version.',
        'The SDK sends limit and offset, which are ignored.',
        'A deleted version is a 404.',
      ],
      chosen: ['All the rest is as the val is now, since settings belong to the val and not to a version.'],
    },
    handle({ state, caller, params, links }) {
      const val = findVal(state, params.val_id, caller);
      return extendedValView(state, val, links, findVersion(state, val, params.version));
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/vals/{val_id}/versions/{version}',
    summary: 'Delete one version of a val',
    auth: signedIn,
    request: { params: VersionPath },
    status: 204,
    answer: noBody,
    errors: [400, 401, 404],
    rules: {
      specified: ['Deletes one version.'],
      record: ['The answer is 204. Other versions keep their numbers.'],
      chosen: [
        'Numbers are not given again, so that a number means the same code for ever.',
        'When the latest goes, the val shows the one before: nothing forbids that.',
        'The only version of a val stays, with a 400, since a val has code.',
        "Somebody else's val is a 404, the one error that documents name here.",
      ],
    },
    handle: ({ state, caller, params }) =>
      deleteVersion(state, findOwnVal(state, params.val_id, caller), params.version),
  }),
];
