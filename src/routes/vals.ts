import * as z from 'zod';
import { anyone, noBody, route, signedIn } from '../contract/route.js';
import { Code, ExtendedVal, extendedValView, NewCode, ValName, ValPath } from '../contract/vals.js';
import { createVal, deleteVal, findOwnVal, findVal, findValByName } from '../domain/vals.js';
import { addVersion } from '../domain/versions.js';

export const valRoutes = [
  route({
    method: 'POST',
    path: '/v1/vals',
    summary: 'Create a new val',
    auth: signedIn,
    request: { body: NewCode },
    status: 200,
    answer: ExtendedVal,
    errors: [400, 401, 409],
    handle: ({ state, caller, body, now, links }) => extendedValView(state, createVal(state, caller, body, now), links),
  }),
  route({
    method: 'PUT',
    path: '/v1/vals',
    summary: 'Create or update a val by name and code',
    auth: signedIn,
    request: { body: z.object({ name: ValName, code: Code }) },
    status: 200,
    answer: ExtendedVal,
    errors: [400, 401],
    handle({ state, caller, body, now, links }) {
      const existing = findValByName(state, caller.id, body.name);
      const val = existing ? addVersion(state, existing, body.code, now) : createVal(state, caller, body, now);
      return extendedValView(state, val, links);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/vals/{val_id}',
    summary: 'Get a val by id',
    auth: anyone,
    request: { params: ValPath },
    status: 200,
    answer: ExtendedVal,
    errors: [400, 401, 404],
    handle: ({ state, caller, params, links }) => extendedValView(state, findVal(state, params.val_id, caller), links),
  }),
  route({
    method: 'DELETE',
    path: '/v1/vals/{val_id}',
    summary: 'Delete a val',
    auth: signedIn,
    request: { params: ValPath },
    status: 204,
    answer: noBody,
    errors: [400, 401, 404],
    handle: ({ state, caller, params }) => deleteVal(state, findOwnVal(state, params.val_id, caller)),
  }),
];
