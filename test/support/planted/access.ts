import type { Difference } from './difference.js';

/** Tokens, private vals, and pages of other origins. */
export const access: readonly Difference[] = [
  {
    id: 'private-val-readable',
    rule: 'Only its author can read a private val.',
    source: 'record',
    operation: 'GET /v1/vals/{val_id}',
    file: 'routes/vals.ts',
    find: 'extendedValJson(context, getVisibleVal(context.state, context.params.val_id, context.caller)),',
    replace: `extendedValJson(
        context,
        context.state.vals.get(context.params.val_id.toLowerCase()) ??
          getVisibleVal(context.state, context.params.val_id, context.caller),
      ),`,
  },
  {
    id: 'private-val-in-search',
    rule: 'The search finds public vals only.',
    source: 'record',
    operation: 'GET /v1/search/vals',
    file: 'model/search.ts',
    find: "if (val.privacy !== 'public') continue;",
    replace: "if (val.privacy === 'unlisted') continue;",
  },
  {
    id: 'foreign-val-403',
    rule: "Another user's val is a 404, as an unknown one.",
    source: 'chosen',
    operation: 'GET /v1/vals/{val_id}/runs',
    file: 'model/vals.ts',
    find: 'if (val?.authorId !== caller.id) throw valNotFound();',
    replace: 'if (val?.authorId !== caller.id) throw Object.assign(valNotFound(), val ? { status: 403 } : {});',
  },
  {
    id: 'lower-case-scheme-401',
    rule: 'The scheme of a token may be in lower case.',
    source: 'chosen',
    operation: 'GET /v1/me',
    file: 'server/pipeline.ts',
    find: '/^bearer (.*)$/i.exec(authorization)',
    replace: '/^Bearer (.*)$/.exec(authorization)',
  },
  {
    id: 'origin-header-missing',
    rule: 'Pages of any origin may read a response without a body.',
    source: 'chosen',
    operation: 'DELETE /v1/vals/{val_id}',
    file: 'server/http.ts',
    find: "headers: { 'access-control-allow-origin': ALLOWED_ORIGIN }, body: undefined",
    replace: 'headers: {}, body: undefined',
  },
];
