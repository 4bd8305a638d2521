import { Type } from 'typebox';
import { mapOf, record } from '#engine/schema/schema.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import { route } from '#vals/lib/route.schema.js';
import { LONGEST_ADDRESS, LONGEST_NAME, MOST_ADDRESSES } from '#vals/service/service.collection.js';
import { DEFAULT_SENDER, SENDER_DOMAIN, sendEmail } from './emails.rules.js';

const addressText = (description: string) => Type.String({ minLength: 1, maxLength: LONGEST_ADDRESS, description });
const NamedAddress = Type.Object(
  {
    email: addressText('As in `ada@example.com`'),
    name: Type.Optional(Type.String({ maxLength: LONGEST_NAME })),
  },
  { title: 'EmailNameAndAddress' },
);
const Address = Type.Union([addressText('As in `ada@example.com` or `Ada <ada@example.com>`'), NamedAddress], {
  title: 'EmailAddress',
});
const address = (description: string) => Type.Optional(Type.Union(Address.anyOf, { description }));
const addresses = (description: string) =>
  Type.Optional(Type.Union([Address, Type.Array(Address, { maxItems: MOST_ADDRESSES })], { description }));

const EmailBody = Type.Object(
  {
    subject: Type.Optional(Type.String({ description: 'Default: `Message from @<username> on Val Town`' })),
    text: Type.Optional(Type.String()),
    html: Type.Optional(Type.String({ minLength: 1 })),
    from: address(`\`<username>.<val>@${SENDER_DOMAIN}\`. Default: \`${DEFAULT_SENDER}\``),
    to: addresses('Default: the caller'),
    cc: addresses('Recipients of a copy'),
    bcc: addresses('Recipients of a blind copy'),
    replyTo: address('Address for replies'),
    replyToList: Type.Optional(
      Type.Union([NamedAddress, Type.Array(NamedAddress, { maxItems: API_LIMITS.emailReplies })], {
        description: 'Addresses for replies, in place of `replyTo`',
      }),
    ),
    headers: Type.Optional(mapOf(Type.String(), { maxProperties: API_LIMITS.emailHeaders })),
    attachments: Type.Optional(
      Type.Array(
        Type.Object({
          content: Type.String({ description: 'Base64' }),
          filename: Type.String(),
          type: Type.Optional(Type.String({ description: 'Media type' })),
          disposition: Type.Optional(Type.String({ description: '`attachment` or `inline`' })),
          contentId: Type.Optional(Type.String({ description: 'Id by which the HTML refers to it' })),
        }),
        { maxItems: API_LIMITS.emailAttachments },
      ),
    ),
  },
  { title: 'EmailToSend' },
);

/** Programs of the service compare it with this text. Source: its standard library. */
const ACCEPTED = 'Email accepted to be sent';

export const emailRoutes = [
  route('POST', '/v1/email', 'Send an email', {
    id: 'sendEmail',
    description: 'Accepts the email and keeps it. The emulator sends none.',
    unofficial: true,
    auth: 'required',
    scope: 'email:write',
    body: EmailBody,
    bodyType: 'any-json',
    bodyLimit: API_LIMITS.email,
    status: 202,
    response: record('AcceptedEmail', { message: Type.String() }),
    errors: [400, 401, 403],
    rules: {
      record: [
        'message: The message is `Email accepted to be sent`; clients compare it. The status was 200 until January 2026.',
        'address: An address is a text, or has `email` and `name`. replyTo takes one; to, cc and bcc take one or a list. replyToList takes no texts.',
        'bounds: An address has 1 to 320 characters, and a name at most 256. to, cc and bcc have at most 50 addresses, replyToList 10. An email has at most 5 attachments and 50 headers, and its HTML is not empty.',
        'default: Without to, the caller is the recipient; without subject, it is `Message from @<username> on Val Town`; without from, it is from `notifications@val.town`.',
        'sender: Any other sender is `<username>.<val>@valtown.email` of the caller.',
        'media-type: JSON is parsed whatever its type: the standard library of the service sends none.',
      ],
      chosen: [
        'recipients: Recipients are not restricted. The service lets free accounts write to themselves only.',
        'other-sender: Any other sender is a 400, whether the val exists or not. Fixtures and `add.email` take any sender.',
        'header: A text that becomes a header of the email has no CR, LF or NUL, and no word that is too long for SMTP: it is a 400.',
        'attachment: Attachments are base64; any other content is a 400.',
        'size: A request has at most 16 MB. Route and token are checked before it is read.',
      ],
    },
    example: { body: { to: 'grace@example.com', subject: 'The report', text: 'It is ready.' } },
    handle({ state, caller, body, now }) {
      sendEmail(state, caller, body, now);
      return { message: ACCEPTED };
    },
  }),
];
