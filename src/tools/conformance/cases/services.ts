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
  recorded('message', {
    'sent: An email is accepted': [
      send(EMAIL, MINIMAL_EMAIL),
      { status: 202, body: exactly({ message: { const: 'Email accepted to be sent' } }) },
      SENT,
    ],
  }),
  recorded('address', {
    'reply-text: replyToList refuses a text as an address': refuses({ replyToList: ['ada@example.com'] }, EMAIL),
  }),
  chosen('other-sender', {
    'sender: A sender of another domain is a 400': [
      send(EMAIL, { ...MINIMAL_EMAIL, from: 'ada@example.com' }),
      400,
      SENT,
    ],
  }),
  chosen(
    'header',
    Object.fromEntries(
      Object.entries(HEADERS).flatMap(([field, toBody]) =>
        Object.entries(BREAKS).map(([name, character]): [string, Row] => [
          `${field}-${name}: ${name.toUpperCase()} in the ${field} is a 400`,
          [send(EMAIL, { ...MINIMAL_EMAIL, ...toBody(`a@example.com${character}b`) }), 400, SENT],
        ]),
      ),
    ),
  ),
  chosen('attachment', {
    'base64: Content of an attachment with other characters is a 400': [
      send(EMAIL, { ...MINIMAL_EMAIL, attachments: [{ filename: 'a', content: '%' }] }),
      400,
      SENT,
    ],
  }),
]);

/** The services of the API in addition to vals. */
export const serviceCases: readonly Case[] = [...emailCases, ...blobCases];
