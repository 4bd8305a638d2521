import type { Difference } from './difference.js';

/** Keys, types and values of a record. */
export const shapes: readonly Difference[] = [
  {
    id: 'tier-missing',
    rule: 'The profile of the caller has the key tier.',
    source: 'record',
    operation: 'GET /v1/me',
    file: 'api/schemas/users.ts',
    find: 'return { ...userView(user, links), tier: user.tier, email: user.email };',
    replace: 'return { ...userView(user, links), email: user.email };',
  },
  {
    id: 'email-public',
    rule: 'The profile of a user has no email.',
    source: 'record',
    operation: 'GET /v1/users/{user_id}',
    file: 'routes/users.ts',
    find: 'handle: ({ state, params, links }) => userView(getUser(state, params.user_id), links),',
    replace: `handle({ state, params, links }) {
      const user = getUser(state, params.user_id);
      return { ...userView(user, links), email: user.email };
    },`,
  },
  {
    id: 'reference-time-null',
    rule: 'The time of a reference is a string.',
    source: 'record',
    operation: 'GET /v1/me/references',
    file: 'routes/reactions.ts',
    find: 'referencedAt: toTimestamp(referencedAt),',
    replace: 'referencedAt: null,',
  },
  {
    id: 'comment-version-text',
    rule: 'The version of a commented val is a number.',
    source: 'record',
    operation: 'GET /v1/me/comments',
    file: 'routes/reactions.ts',
    find: 'version: val.latest.version,',
    replace: 'version: String(val.latest.version),',
  },
  {
    id: 'self-import-counted',
    rule: 'referenceCount is the number of other vals that import a val.',
    source: 'record',
    operation: 'GET /v1/vals/{val_id}',
    file: 'model/references.ts',
    find: "return importsItself && val.privacy === 'public' ? importers - 1 : importers;",
    replace: 'return importers;',
  },
];
