import { boundsOf, Paging, page, pageOf, Window } from '../contract/page.js';
import { ReferenceItem, referenceView } from '../contract/references.js';
import { route, signedIn } from '../contract/route.js';
import { referencesTo } from '../domain/references.js';

export const referenceRoutes = [
  route({
    method: 'GET',
    path: '/v1/me/references',
    summary: "List vals that depend on any of the user's vals",
    auth: signedIn,
    request: { query: Paging.extend(Window.shape) },
    status: 200,
    answer: pageOf(ReferenceItem),
    errors: [400, 401],
    rules: {
      specified: ["Vals that depend on any of the caller's vals. It names no parameters."],
      record: [
        'Clients send limit, offset, since and until, which are all taken.',
        'reference is the val that imports, dependsOn the val of the caller.',
      ],
      chosen: [
        'A reference is an import from esm.town in the latest version of a val, and as old as that version: what a reader of the code would say.',
        'The latest comes first, as in every list.',
        'Importers that are unlisted or private show to their own author alone, as in other lists of vals.',
        "A val's import of itself counts for nothing, since it depends on no other val.",
      ],
    },
    handle({ state, caller, query, links }) {
      const references = referencesTo(state, caller, boundsOf(query));
      return page(references, query, links, (reference) => referenceView(state, reference));
    },
  }),
];
