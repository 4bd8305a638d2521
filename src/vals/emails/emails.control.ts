import { Type } from 'typebox';
import { Reply } from '#engine/control/reply.js';
import { controlRoute, forPage } from '#engine/control/route.js';
import { NotFoundError } from '#engine/lib/errors.js';
import { HTML } from '#engine/lib/json.js';
import { formatValue, parseBack } from '#engine/lib/messages.js';
import { At, AtQuery } from '#engine/sandbox/history-entries.js';
import type { Sandbox } from '#engine/sandbox/sandbox.js';
import { parseJsonTexts } from '#engine/schema/json-texts.js';
import { strictObject } from '#engine/schema/schema.js';
import { getValsStateAt } from '#vals/lib/state-at.control.js';
import type { Email } from '#vals/service/service.collection.js';
import * as lateOutbox from './outbox.sandbox.js';
import { makeOutbox } from './outbox-methods.sandbox.js';
import { EmailExpectationSchema, EmailQuery, EmailRecord } from './outbox-schemas.sandbox.js';

/** An email is content of others: it runs no script, and loads from other hosts only if `hosts` names protocols. Links open in another tab. */
const makePolicy = (hosts: string) =>
  [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `img-src data:${hosts}`,
    `style-src 'unsafe-inline'${hosts}`,
    `font-src data:${hosts}`,
    "frame-ancestors 'self'",
  ].join('; ');

const EmailPath = Type.Object({
  id: Type.String({ description: 'Id of an email or its start, or from the end: `last`, `-2`' }),
});

/** Characters of the start of an id that are enough, as for a commit of git. */
const MIN_START_LENGTH = 4;

/** @throws NotFoundError */
function getEmail(sandbox: Sandbox, id: string, at: string | undefined) {
  const { state } = getValsStateAt(sandbox, at);
  const back = parseBack(id);
  const start = id.toLowerCase();
  const email: Email | undefined =
    back === undefined ? state.emails.get(start) : lateOutbox.listEmails(state, {}).at(-back);
  if (email) return { state, email };
  const [short, other] =
    start.length < MIN_START_LENGTH ? [] : lateOutbox.listEmails(state, {}).filter((each) => each.id.startsWith(start));
  if (short && !other) return { state, email: short };
  throw new NotFoundError(
    other
      ? `Several emails begin with ${formatValue(id)}: write more of the id.`
      : `There is no email ${formatValue(id)}.`,
  );
}

export const emailRoutes = [
  controlRoute('GET', '/_emulator/emails', 'List the sent emails', {
    id: 'listEmails',
    tool: 'emails',
    query: EmailQuery,
    response: Type.Array(EmailRecord),
    errors: [400, 403, 422],
    example: { query: { to: 'grace@example.com' } },
    handle: ({ sandbox, query: { attachments, ...query } }) =>
      makeOutbox(sandbox).emails({ ...query, ...parseJsonTexts({ attachments }) }),
  }),
  controlRoute('GET', '/_emulator/emails/{id}', 'Get an email, now or after a commit', {
    id: 'getEmail',
    params: EmailPath,
    query: AtQuery,
    response: EmailRecord,
    errors: [400, 403, 404],
    handle({ sandbox, params: { id }, query: { at } }) {
      const { state, email } = getEmail(sandbox, id, at);
      return lateOutbox.toEmailRecord(state, email);
    },
  }),
  forPage(
    controlRoute('GET', '/_emulator/emails/{id}/html', 'Show the HTML of an email, without scripts', {
      id: 'showEmail',
      params: EmailPath,
      query: strictObject({
        at: At,
        remote: Type.Optional(
          Type.Boolean({ description: 'Whether images, styles and fonts of other hosts are loaded. Default: false' }),
        ),
      }),
      response: Type.String({ description: 'The HTML, with the attachments that it refers to' }),
      mediaType: HTML,
      errors: [400, 403, 404],
      async handle({ sandbox, params: { id }, query: { at, remote } }) {
        const headers = {
          'content-type': HTML,
          'content-security-policy': makePolicy(remote ? ' http: https:' : ''),
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        };
        return new Reply(headers, lateOutbox.toHtml(getEmail(sandbox, id, at).email));
      },
    }),
  ),
  controlRoute('POST', '/_emulator/emails/expect', 'Assert that an email was sent; a 422 has the near misses', {
    id: 'expectEmail',
    body: strictObject(EmailExpectationSchema.properties, { title: 'EmailExpectation', default: {} }),
    errors: [400, 403, 422],
    example: { body: { to: 'eve@example.com', times: 0 } },
    handle({ sandbox, body }) {
      makeOutbox(sandbox).expectEmail(body);
    },
  }),
];
