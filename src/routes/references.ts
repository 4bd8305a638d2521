import { Type } from 'typebox';
import { Page, Paging, page, toBounds, Window } from '../api/pagination.js';
import { route } from '../api/route.js';
import { Id, Nullable } from '../api/schemas/common.js';
import { record, strictObject } from '../lib/schema.js';
import { toTimestamp } from '../lib/time.js';
import { listReferences, type Reference } from '../model/references.js';
import type { Val } from '../model/schema.js';
import type { State } from '../model/state.js';
import { getAuthor } from '../model/users.js';

const referent = (description: string) =>
  strictObject(
    { id: Id, username: Nullable(Type.String()), author_id: Nullable(Id), name: Type.String() },
    { description },
  );

const ReferenceItem = record('Reference', {
  reference: referent('The importing val'),
  dependsOn: referent('The imported val'),
  referencedAt: Type.String({ format: 'date-time', description: 'Creation time of the importing version' }),
});

const referentView = (state: State, val: Val) => ({
  id: val.id,
  username: getAuthor(state, val).username,
  author_id: val.authorId,
  name: val.name,
});

const referenceView = (state: State, { reference, dependsOn, referencedAt }: Reference) => ({
  reference: referentView(state, reference),
  dependsOn: referentView(state, dependsOn),
  referencedAt: toTimestamp(referencedAt),
});

export const referenceRoutes = [
  route('GET', '/v1/me/references', "List vals that depend on any of the user's vals", {
    auth: 'required',
    query: Type.Object({ ...Paging, ...Window }),
    response: Page(ReferenceItem),
    errors: [400, 401],
    rules: {
      specification: ["Vals that depend on any of the caller's vals. It names no parameters."],
      record: [
        'limit, offset, since and until are supported; clients send them.',
        'reference is the importing val, dependsOn the val of the caller.',
      ],
      chosen: [
        'A reference is an import from esm.town in the latest version of a val. Its time is the time of that version.',
        'The newest comes first, as in every list.',
        'Unlisted and private importers are visible only to their author, as in other lists of vals.',
        'A val that imports itself is not a reference, since it depends on no other val.',
      ],
    },
    handle({ state, caller, query, links }) {
      const references = listReferences(state, caller, toBounds(query));
      return page(references, query, links, (reference) => referenceView(state, reference));
    },
  }),
];
