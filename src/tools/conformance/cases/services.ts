import { type Case, chosen, operation, type Row, recorded } from '../case.js';
import { blobCases } from './blobs.js';
import { exactly } from './schemas.js';
import { MINIMAL_EMAIL, refuses, send } from './steps.js';

const EMAIL = 'POST /v1/email';

const SENT = { level: 'email' } as const;
/** Texts of an email that become headers. */
const HEADERS: Readonly<Record<string, (text: string) => object>> = {
  subject: (subject) => ({ subject }),
  'reply-to': (replyTo) => ({ replyTo }),
  'header-name': (name) => ({ headers: { [name]: 'a' } }),
  'header-value': (value) => ({ headers: { 'x-conformance': value } }),
};
const BREAKS = { cr: '\r', lf: '\n', nul: '\0' };

/** An email that is accepted reaches the user of the account, since it names no recipients. */
const emailCases = operation('sendEmail', EMAIL, [
  recorded('The message is `Email accepted to be sent`; clients compare it. The status was 200 until January 2026.', {
    'sent: An email is accepted': [
      send(EMAIL, MINIMAL_EMAIL),
      { status: 202, body: exactly({ message: { const: 'Email accepted to be sent' } }) },
      SENT,
    ],
  }),
  recorded(
    'An address is a text, or has `email` and `name`. replyTo takes one; to, cc and bcc take one or a list. replyToList takes no texts.',
    { 'reply-text: replyToList refuses a text as an address': refuses({ replyToList: ['ada@example.com'] }, EMAIL) },
  ),
  chosen('Any other sender is a 400, whether the val exists or not. Fixtures and `add.email` take any sender.', {
    'sender: A sender of another domain is a 400': [
      send(EMAIL, { ...MINIMAL_EMAIL, from: 'ada@example.com' }),
      400,
      SENT,
    ],
  }),
  chosen(
    'A text that becomes a header of the email has no CR, LF or NUL, and no word that is too long for SMTP: it is a 400.',
    Object.fromEntries(
      Object.entries(HEADERS).flatMap(([field, toBody]) =>
        Object.entries(BREAKS).map(([name, character]): [string, Row] => [
          `${field}-${name}: ${name.toUpperCase()} in the ${field} is a 400`,
          [send(EMAIL, { ...MINIMAL_EMAIL, ...toBody(`a@example.com${character}b`) }), 400, SENT],
        ]),
      ),
    ),
  ),
  chosen('Attachments are base64; any other content is a 400.', {
    'base64: Content of an attachment with other characters is a 400': [
      send(EMAIL, { ...MINIMAL_EMAIL, attachments: [{ filename: 'a', content: '%' }] }),
      400,
      SENT,
    ],
  }),
]);

/** The services of the API in addition to vals. */
export const serviceCases: readonly Case[] = [...emailCases, ...blobCases];
