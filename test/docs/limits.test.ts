import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMITS } from '#engine/api/limits.js';
import { MAX_SELECTED } from '#engine/control/export.js';
import { MAX_PAIRS, MAX_QUERY_LENGTH, MAX_ROWS } from '#engine/data-browser/browser.js';
import { MAX_TEXT_LENGTH } from '#engine/definition/parts.js';
import { MAX_ATTEMPTS } from '#engine/http/access.js';
import { parseOptions } from '#engine/http/parse-options.js';
import { MAX_WAITING_BYTES, UNREAD_TIMEOUT_MS } from '#engine/http/waiting.js';
import { MAX_BODY_LENGTH } from '#engine/journal/bodies.js';
import { JOURNAL_BYTES, JOURNAL_LENGTH } from '#engine/journal/journal.js';
import { MAX_CRITERIA } from '#engine/journal/request-content.js';
import { MAX_JSON_DEPTH } from '#engine/lib/objects.js';
import { KEPT_BYTES } from '#engine/persistence/describe.js';
import { MAX_CLOSED_NAMES } from '#engine/sandbox/closed-names.js';
import { MAX_GENERATED } from '#engine/sandbox/generated.js';
import { HISTORY_LENGTH } from '#engine/store/history.js';
import { MAX_UNREAD_LENGTH } from '#tools/cli/request-log.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import { LONGEST_FILE, LONGEST_PATH, MOST_FILES } from '#vals/projects/files.collection.js';
import { MOST_BRANCHES } from '#vals/projects/pending.collection.js';
import { vals } from '#vals/service/index.js';
import { MAX_TIME } from '#vals/sqlite/scripts.js';
import { LARGEST_DATABASE } from '#vals/sqlite/values.js';

/** The first number of each limit, by what is limited. */
function readLimits(): Map<string, number> {
  const text = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const rows = text.split('\n').flatMap((line) => /^\| (.*?) \| ([\d,]+)\b/.exec(line) ?? []);
  const limits = new Map<string, number>();
  for (let i = 0; i < rows.length; i += 3) limits.set(rows[i + 1] ?? '', Number(rows[i + 2]?.replaceAll(',', '')));
  return limits;
}

test.each<[what: string, limit: number]>([
  ['body of a request to `/v1`', LIMITS.body],
  ['body of a request to `/_emulator`', LIMITS.controlBody],
  ['body of `POST /_emulator/requests/expect`', LIMITS.body],
  ['headers, and query and path parameters, that a filter, an expectation or a fault names', MAX_CRITERIA],
  ['body of `PUT /_emulator/seed` and `POST /_emulator/sandboxes`', LIMITS.seedBody],
  ['levels of JSON in a body or a fixture', MAX_JSON_DEPTH],
  ['unread bytes: of responses that wait for their clients, and of bodies that are being read', MAX_WAITING_BYTES],
  ['time in which a client has to read a part of its response', UNREAD_TIMEOUT_MS],
  ['wrong control tokens from one address', MAX_ATTEMPTS],
  ['characters of the log that wait for the reader of stdout', MAX_UNREAD_LENGTH],
  ['items on a page', LIMITS.page],
  ["characters of a val's name", API_LIMITS.name],
  ['characters of code', API_LIMITS.code],
  ['characters of a readme', API_LIMITS.readme],
  ['characters of a search query', API_LIMITS.query],
  ['characters of the name of a project, a branch or a part of a path', API_LIMITS.name],
  ['characters of the path of a file', LONGEST_PATH],
  ['characters of the text of a file', LONGEST_FILE],
  ['files of a branch, and directories', MOST_FILES],
  ['branches of a project', MOST_BRANCHES],
  ['characters of the description of a project', API_LIMITS.projectDescription],
  ['characters of the key of an environment variable, and of its value', API_LIMITS.variable],
  ['characters of the description of an environment variable', API_LIMITS.variableDescription],
  ['branches, and traces, in a request for telemetry', API_LIMITS.telemetryBranches],
  ['body of `POST /v1/sqlite/execute` and `/v1/sqlite/batch`', API_LIMITS.sqlBody],
  ['characters of a SQL statement', API_LIMITS.sql],
  ['arguments of a statement', API_LIMITS.sqlArguments],
  ['statements of a batch', API_LIMITS.sqlStatements],
  ['time of the statements of a request', MAX_TIME],
  ['bytes of the SQLite database of a user', LARGEST_DATABASE],
  ['records that a read of the data browser goes through', MAX_ROWS],
  ['pairs of records that `_embed` and `_expand` compare', MAX_PAIRS],
  ['characters of a query of the data browser', MAX_QUERY_LENGTH],
  ['named sandboxes', parseOptions(vals).maxSandboxes],
  ['names of closed sandboxes, which respond with 404', MAX_CLOSED_NAMES],
  ['users, vals and runs of all such datasets in memory, in sum', MAX_GENERATED],
  ['ids of a collection in `POST /_emulator/export`', MAX_SELECTED],
  ['requests in the journal', JOURNAL_LENGTH],
  ['characters of a body in the journal', MAX_BODY_LENGTH],
  ['bytes of the journal of the default sandbox', JOURNAL_BYTES.default],
  ['bytes of the journal of a named sandbox', JOURNAL_BYTES.named],
  ['bytes of all journals of an emulator', JOURNAL_BYTES.all],
  ['commits in the history', HISTORY_LENGTH],
  ['bytes of commits that a compacted data folder or a session has in addition to the state', KEPT_BYTES],
  ['snapshots', LIMITS.snapshots],
  ['armed faults', LIMITS.faults],
  ['rate-limit windows; ended ones are dropped', LIMITS.rateWindows],
  ['characters of a code, a readme or a comment in fixtures', MAX_TEXT_LENGTH],
])('docs/limits.md has the limit of the code: %s', (what, limit) => {
  expect(readLimits().get(what)).toBe(limit);
});
