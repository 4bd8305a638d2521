import { Type } from 'typebox';
import { Page, Paging, page, toBounds, Window } from '../api/pagination.js';
import { route } from '../api/route.js';
import { ReferenceItem, referenceView } from '../api/schemas/references.js';
import { listReferences } from '../model/references.js';

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
