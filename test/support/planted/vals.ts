import type { Difference } from './difference.js';

/** Names, versions and settings of vals. */
export const vals: readonly Difference[] = [
  {
    id: 'alias-case-sensitive',
    rule: 'Names are case-insensitive.',
    source: 'record',
    operation: 'GET /v1/alias/{username}/{val_name}',
    file: 'model/vals.ts',
    find: 'const val = author && findValByName(state, author.id, name);\n  if (!val ||',
    replace: 'const val = author && findValByName(state, author.id, name);\n  if (val?.name !== name ||',
  },
  {
    id: 'conflict-as-text',
    rule: 'The body of a 409 has the keys message, error and statusCode.',
    source: 'chosen',
    operation: 'POST /v1/vals',
    file: 'server/http.ts',
    find: 'makeResponse(body.statusCode, JSON.stringify(body))',
    replace: 'makeResponse(body.statusCode, JSON.stringify(body.statusCode === 409 ? body.message : body))',
  },
  {
    id: 'settings-200',
    rule: 'The response to changed settings is a 204.',
    source: 'record',
    operation: 'PUT /v1/vals/{val_id}',
    file: 'routes/vals.ts',
    find: 'body: ValSettingsBody,',
    replace: 'body: ValSettingsBody,\n    status: 200,',
  },
  {
    id: 'version-number-reused',
    rule: 'A new version has a number that the val never had before.',
    source: 'chosen',
    operation: 'POST /v1/vals/{val_id}/versions',
    file: 'model/versions.ts',
    find: 'const latest = makeVersion(val.id, val.nextVersion, code, now);',
    replace: 'const latest = makeVersion(val.id, val.latest.version + 1, code, now);',
  },
  {
    id: 'only-version-deleted',
    rule: 'The only version of a val cannot be deleted.',
    source: 'chosen',
    operation: 'DELETE /v1/vals/{val_id}/versions/{version}',
    file: 'model/versions.ts',
    find: "if (!latest) throw badRequest('Cannot delete the only version of a val');",
    replace: 'if (!latest) return;',
  },
];
