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
    handle({ state, caller, query, links }) {
      const references = referencesTo(state, caller, boundsOf(query));
      return page(references, query, links, (reference) => referenceView(state, reference));
    },
  }),
];
