import * as z from 'zod';
import { LIMITS, text } from '../contract/fields.js';
import { Paging, page, pageOf } from '../contract/page.js';
import { anyone, noBody, route, signedIn } from '../contract/route.js';
import { UserPath } from '../contract/users.js';
import {
  BasicVal,
  basicValView,
  Code,
  ExtendedVal,
  extendedValView,
  NewCode,
  ValName,
  ValPath,
  ValSettingsBody,
} from '../contract/vals.js';
import { searchVals } from '../domain/search.js';
import { findUser } from '../domain/users.js';
import { createVal, deleteVal, findOwnVal, findVal, findValByName, updateVal, valsOf } from '../domain/vals.js';
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
    rules: {
      specified: ['Creates a val from name, code, readme and privacy.'],
      record: [
        'Only code is needed; type may come as well, and other fields are ignored.',
        'The answer is 200 and the val, at version 0.',
        'A name belongs to one val of its author, whatever its case. A val without one is given an adjective, a colour and an animal.',
        'Without more the val is private and a script.',
      ],
      chosen: ['A name that is taken is a 409, as in later APIs of the service.'],
    },
    example: { body: { name: 'greeting', code: "export const greeting = 'Hello';", privacy: 'public' } },
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
    rules: {
      specified: ['Gives the val of that name new code, or creates it.'],
      record: [
        'Only vals of the caller count, and the case of the name does not.',
        'The answer is 200 in either case.',
        'An update makes a version and keeps the rest of the val.',
      ],
      chosen: [
        'The answer is the val, as in earlier documents; later ones leave it open.',
        'Names are held to the same rule as with POST, or this would make vals that POST refuses.',
      ],
    },
    example: { body: { name: 'hello', code: "export const hello = (name: string) => 'Hi, ' + name;" } },
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
    rules: {
      specified: ['Reads a val by its id, with a token or without.'],
      record: [
        'Public and unlisted vals are for anybody, private ones for their author.',
        'An id is a UUID of any version; anything else is a 400.',
      ],
      chosen: ["Somebody else's private val is a 404, the same as none, so that nothing tells that it exists."],
    },
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
    rules: {
      specified: ['Deletes a val.'],
      record: ['The answer is 204, and 404 the second time.', 'The name can be given again.'],
      chosen: [
        'Versions, runs, likes and comments go with the val, since nothing leads to them any more.',
        "Somebody else's val is a 404, the one error that documents name here.",
      ],
    },
    handle: ({ state, caller, params }) => deleteVal(state, findOwnVal(state, params.val_id, caller)),
  }),
  route({
    method: 'PUT',
    path: '/v1/vals/{val_id}',
    summary: 'Change the name, readme, privacy or type of a val',
    companion: true,
    auth: signedIn,
    request: { params: ValPath, body: ValSettingsBody },
    status: 204,
    answer: noBody,
    errors: [400, 401, 404, 409],
    rules: {
      record: [
        'Any of the settings may come; those left out keep their values, and an empty object is fine.',
        'Clients wait for just a 204.',
        'code is ignored: it has versions.',
      ],
      chosen: [
        'A name that another val of the author has is a 409, as on creation.',
        "Somebody else's val is a 404, as on deletion.",
      ],
    },
    example: { body: { name: 'welcome', privacy: 'unlisted' } },
    handle({ state, caller, params, body }) {
      updateVal(state, findOwnVal(state, params.val_id, caller), body);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/users/{user_id}/vals',
    summary: 'List vals of a user: public ones, or all for the user',
    companion: true,
    auth: anyone,
    request: { params: UserPath, query: Paging },
    status: 200,
    answer: pageOf(BasicVal),
    errors: [400, 401, 404],
    rules: {
      record: ['Public vals for anybody; for the user, all of them.'],
      chosen: [
        'The latest comes first, as in every list.',
        'A user that does not exist is a 404, as on the route of the user.',
      ],
    },
    handle({ state, caller, params, query, links }) {
      const vals = valsOf(state, findUser(state, params.user_id), caller);
      return page(vals, query, links, (val) => basicValView(state, val, links));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/search/vals',
    summary: 'Search public vals by name, readme and code',
    companion: true,
    auth: anyone,
    request: { query: Paging.extend({ query: text(1, LIMITS.query).describe('Words to look for') }) },
    status: 200,
    answer: pageOf(BasicVal),
    errors: [400, 401],
    rules: {
      record: ['Only public vals are found.', 'A query has 1 to 512 characters.'],
      chosen: [
        'Each word of the query must occur in name, readme or code, whatever its case: the simplest search that finds what people look for.',
        'First come vals of that name, then those whose name begins with it or holds it, then those with it in the readme, then in the code; the latest first of each.',
      ],
    },
    example: { query: { query: 'dice' } },
    handle: ({ state, query, links }) =>
      page(searchVals(state, query.query), query, links, (val) => basicValView(state, val, links)),
  }),
];
