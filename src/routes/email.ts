import { Type } from 'typebox';
import { LIMITS } from '../api/limits.js';
import { route } from '../api/route.js';
import { record } from '../lib/schema.js';
import { sendEmail } from '../model/emails.js';
import { LONGEST_ADDRESS, LONGEST_NAME, LONGEST_SUBJECT, MOST_ADDRESSES } from '../model/user-data.js';

const Address = Type.Union(
  [
    Type.String({ minLength: 1, description: 'As in `ada@example.com` or `Ada <ada@example.com>`' }),
    Type.Object({
      email: Type.String({ minLength: 1, maxLength: LONGEST_ADDRESS }),
      name: Type.Optional(Type.String({ maxLength: LONGEST_NAME })),
    }),
  ],
  { title: 'EmailAddress' },
);
const addresses = (description: string) =>
  Type.Optional(Type.Union([Address, Type.Array(Address, { maxItems: MOST_ADDRESSES })], { description }));

const EmailBody = Type.Object(
  {
    subject: Type.Optional(Type.String({ maxLength: LONGEST_SUBJECT })),
    text: Type.Optional(Type.String()),
    html: Type.Optional(Type.String()),
    from: Type.Optional(Address),
    to: addresses('Default: the caller'),
    cc: addresses('Recipients of a copy'),
    bcc: addresses('Recipients of a blind copy'),
    replyTo: addresses('Addresses for replies'),
    replyToList: addresses('Addresses for replies, before `replyTo`'),
    headers: Type.Optional(Type.Record(Type.String(), Type.String(), { maxProperties: LIMITS.emailHeaders })),
    attachments: Type.Optional(
      Type.Array(
        Type.Object({
          content: Type.String({ description: 'Base64' }),
          filename: Type.String(),
          type: Type.Optional(Type.String({ description: 'Media type' })),
          disposition: Type.Optional(Type.String({ description: '`attachment` or `inline`' })),
          contentId: Type.Optional(Type.String({ description: 'Id by which the HTML refers to it' })),
        }),
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
    body: EmailBody,
    bodyType: 'any-json',
    bodyLimit: LIMITS.email,
    status: 202,
    response: record('AcceptedEmail', { message: Type.String() }),
    errors: [400, 401],
    rules: {
      record: [
        'The message is `Email accepted to be sent`; clients compare it. The status was 200 until 2024.',
        'An address is a text or has a name; to, cc, bcc and replyTo take one or a list of at most 50.',
        'Without to, the caller is the recipient.',
        'JSON is parsed whatever its type: the standard library of the service sends none.',
      ],
      chosen: [
        'Recipients are not restricted. The service lets free accounts write to themselves only.',
        'Attachments are base64; any other content is a 400.',
        'A request has at most 16 MB. Route and token are checked before it is read.',
      ],
    },
    example: { body: { to: 'grace@example.com', subject: 'The report', text: 'It is ready.' } },
    handle({ state, caller, body, now }) {
      sendEmail(state, caller, body, now);
      return { message: ACCEPTED };
    },
  }),
];
