import { type Case, chosen, operation, recorded } from '../case.js';
import { refuses } from './steps.js';

const EMAIL = 'POST /v1/email';

/** The services of the API in addition to vals. An email that is accepted would reach people, so only refused ones are sent. */
export const serviceCases: readonly Case[] = operation('sendEmail', EMAIL, [
  recorded('An address is a text or has a name; to, cc, bcc and replyTo take one or a list of at most 50.', {
    'addresses: A list of 51 addresses is a 400': refuses({ to: Array(51).fill('ada@example.com') }, EMAIL),
  }),
  chosen('Attachments are base64; any other content is a 400.', {
    'base64: Content of an attachment with other characters is a 400': refuses(
      { attachments: [{ filename: 'a', content: '%' }] },
      EMAIL,
    ),
  }),
]);
