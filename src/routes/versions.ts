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
    handle: ({ state, caller, params, query, links }) =>
      page(versionsOf(state, findVal(state, params.val_id, caller)), query, links, versionView),
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
    handle: ({ state, caller, params }) =>
      deleteVersion(state, findOwnVal(state, params.val_id, caller), params.version),
  }),
];
