import { Type } from 'typebox';
import { formatContent } from '#engine/definition/content.js';
import type { Fields, Names } from '#engine/definition/context.js';
import { defineCollection, nameRecord } from '#engine/definition/define.js';
import {
  content,
  Id,
  key,
  NOW,
  nullable,
  optional,
  record,
  Text,
  Time,
  withDefault,
} from '#engine/definition/parts.js';
import { encodeBase64 } from '#engine/lib/base64.js';
import { isObject } from '#engine/lib/objects.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { mapOf } from '#engine/schema/schema.js';
import { asc, desc, index } from '#engine/store/collection.js';
import { decodeBytes } from '#vals/lib/stored-body.collection.js';
import { type UserBuilder, UserRef } from '#vals/users/users.collection.js';

/** Characters of an address and of its name; addresses of a field. Source: the service's OpenAPI document of June 2026. */
export const LONGEST_ADDRESS = 320;
export const LONGEST_NAME = 256;
export const MOST_ADDRESSES = 50;

export interface Address {
  readonly email: string;
  readonly name: string | null;
}

export interface Attachment {
  readonly filename: string;
  readonly type: string | null;
  readonly disposition: string | null;
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

/** An email that a user has sent. It is kept, and reaches no one. */
export interface Email {
  readonly id: string;
  /** The user whose token sent it. */
  readonly userId: string;
  /** Null for the address that the service chooses. */
  readonly from: Address | null;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly replyTo: readonly Address[];
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
  readonly createdAt: Instant;
  /** Order of creation: breaks ties between emails of the same instant. */
  readonly serial: number;
}

/** An address as programs write it: `ada@example.com`, `Ada <ada@example.com>`, or its parts. */
export type AddressInput = string | { readonly email: string; readonly name?: string | null | undefined };
export type AddressesInput = AddressInput | readonly AddressInput[];

function toAddress(input: AddressInput): Address {
  if (typeof input !== 'string') return { email: input.email, name: input.name ?? null };
  const start = input.lastIndexOf('<');
  const isNamed = start >= 0 && input.endsWith('>');
  const email = (isNamed ? input.slice(start + 1, -1) : input).trim();
  // `<>` and spaces stay as they were sent, so that they can be loaded again.
  if (!isNamed || email === '') return { email: email || input, name: null };
  const name = input
    .slice(0, start)
    .trim()
    .replace(/^"(.*)"$/s, '$1');
  return { email, name: name === '' ? null : name };
}

export const isList = (input: AddressesInput): input is readonly AddressInput[] => Array.isArray(input);

/** Makes a list. The coercion of a union, such as `[["ada@example.com"]]`, leaves lists in lists. */
export const toAddresses = (input: AddressesInput = []): Address[] =>
  isList(input) ? input.flatMap((each) => toAddresses(each)) : [toAddress(input)];

const AddressSchema = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: LONGEST_ADDRESS }),
    record('An address', {
      email: Type.String({ minLength: 1, maxLength: LONGEST_ADDRESS }),
      // The name in a text may be as long.
      name: Type.Optional(nullable(Type.String({ maxLength: LONGEST_ADDRESS }))),
    }),
  ],
  { expected: 'an address such as "Ada <ada@example.com>", or { "email": …, "name": … }' },
);
const Addresses = Type.Union([AddressSchema, Type.Array(AddressSchema, { maxItems: MOST_ADDRESSES })], {
  expected: `an address, or a list of at most ${MOST_ADDRESSES}`,
});

const AttachmentSchema = record('A file of an email', {
  filename: key(Type.String(), 'Name of the file'),
  ...content,
  type: optional(nullable(Type.String()), 'Media type'),
  disposition: optional(nullable(Type.String()), 'attachment, or inline for one that the HTML shows'),
  contentId: optional(nullable(Type.String()), 'Id by which the HTML refers to it: `cid:logo`'),
});

/** Writes an address: as text, or with its name as it was given. */
const writeAddress = ({ email, name }: Address) =>
  name === null && toAddress(email).email === email ? email : { email, name };

const writeEmail = (names: Names, email: Email) => ({
  id: email.id,
  user: names.of('users', email.userId),
  from: email.from && writeAddress(email.from),
  to: email.to.map(writeAddress),
  cc: email.cc.map(writeAddress),
  bcc: email.bcc.map(writeAddress),
  replyTo: email.replyTo.map(writeAddress),
  subject: email.subject,
  text: email.text,
  html: email.html,
  headers: { ...email.headers },
  attachments: email.attachments.map(({ content, ...attachment }) => ({ ...attachment, ...formatContent(content) })),
  createdAt: toTimestamp(email.createdAt),
});

/** Gives the attachments of a row that were sent before their contents. */
function keepAttachments(row: Fields, _names: Names, old: Email | undefined): Fields {
  if (!Array.isArray(row.attachments)) return row;
  const attachments = row.attachments.map((given: unknown) => {
    if (!isObject(given) || !('size' in given)) return given;
    const { size: _, ...rest } = given;
    const known = old?.attachments.find(({ filename }) => filename === given.filename);
    return known ? { ...rest, ...formatContent(known.content) } : rest;
  });
  return { ...row, attachments };
}

/** An email whose bytes are in base64. */
type StoredEmail = Omit<Email, 'attachments'> & {
  readonly attachments: readonly (Omit<Attachment, 'content'> & { readonly content: string })[];
};

export const emails = defineCollection(
  {
    name: 'emails',
    title: 'The emails that users have sent',
    adder: 'email',
    identity: index<Email>(asc((record) => record.id)),
    indexes: {
      user: index<Email>(
        asc((record) => record.userId),
        desc((record) => record.createdAt),
        desc((record) => record.serial),
      ),
      /** In the order of sending. */
      serial: index<Email>(asc((record) => record.serial)),
    },
    schema: record('An email that a user has sent', {
      user: key(UserRef, 'Username or id of the user who sent it'),
      from: withDefault(nullable(AddressSchema), null, 'Sender; null for the address that the service chooses'),
      to: optional(Addresses, 'Recipients. Default: the address of the user'),
      cc: withDefault(Addresses, [], 'Recipients of a copy'),
      bcc: withDefault(Addresses, [], 'Recipients of a blind copy'),
      replyTo: withDefault(Addresses, [], 'Addresses for replies'),
      subject: withDefault(Type.String(), '', 'Subject'),
      text: withDefault(nullable(Text), null, 'Body as text'),
      html: withDefault(nullable(Text), null, 'Body as HTML'),
      headers: withDefault(mapOf(Type.String()), {}, 'Further headers'),
      attachments: withDefault(Type.Array(AttachmentSchema), [], 'Files'),
      createdAt: withDefault(Time, NOW, 'Time at which it was sent. Default: now'),
      id: optional(Id, 'UUID. Default: derived from the user and the number of their emails before this one'),
    }),
  },
  {
    references: {
      user: {
        to: 'users',

        id: ({ userId }) => userId,
        find: ({ by }, id) => by.user.range([id]),
      },
    },
    owner: 'user',
    build(builder: UserBuilder, { record, path }, ordinal): Email | undefined {
      const user = builder.find('users', record.user, `${path}.user`);
      const createdAt = builder.toInstant(record.createdAt, builder.now, `${path}.createdAt`);
      const attachments = record.attachments.map(({ filename, type, disposition, contentId, ...content }, i) => ({
        ...{ filename, type: type ?? null, disposition: disposition ?? null, contentId: contentId ?? null },
        content: builder.toBytes(content, `${path}.attachments[${i}]`),
      }));
      if (!user) return undefined;
      return {
        id: builder.toId(record.id, nameRecord('emails', user.id, ordinal)),
        userId: user.id,
        from: record.from === null ? null : toAddress(record.from),
        to: toAddresses(record.to ?? { email: user.email, name: user.username }),
        cc: toAddresses(record.cc),
        bcc: toAddresses(record.bcc),
        replyTo: toAddresses(record.replyTo),
        subject: record.subject,
        text: record.text === null ? null : builder.toText(record.text, `${path}.text`),
        html: record.html === null ? null : builder.toText(record.html, `${path}.html`),
        headers: record.headers,
        attachments,
        createdAt,
        serial: builder.drawSerial(),
      };
    },
    write: writeEmail,
    stored: {
      encode: (email): StoredEmail => ({
        ...email,
        attachments: email.attachments.map((each) => ({ ...each, content: encodeBase64(each.content) })),
      }),
      decode: (email: StoredEmail) => ({
        ...email,
        attachments: email.attachments.map((each) => ({ ...each, content: decodeBytes(each.content) })),
      }),
      weigh: ({ attachments }: StoredEmail) => attachments.reduce((sum, { content }) => sum + content.length, 0),
    },
    complete: keepAttachments,
    bytes: ({ attachments }) => attachments.map(({ content }) => content),
    example: { user: 'ada', to: 'grace@example.com', subject: 'The report' },
    display: (names, { userId, subject }) => `email by ${names.of('users', userId)}: ${subject}`,
    /** With the sizes of attachments in place of their contents. */
    show(names, email) {
      const attachments = email.attachments.map(({ content, ...others }) => ({ ...others, size: content.length }));
      return { ...writeEmail(names, { ...email, attachments: [] }), attachments };
    },
  },
);
