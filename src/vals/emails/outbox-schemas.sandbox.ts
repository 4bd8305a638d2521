import { type Static, type TSchema, Type } from 'typebox';
import type { Optional } from '#engine/lib/objects.js';
import { Nullable, Timestamp } from '#engine/schema/common.js';
import { JsonText, lastOf, mapOf, record, strictObject } from '#engine/schema/schema.js';

const AddressRecord = record('Address', { email: Type.String(), name: Nullable(Type.String()) });

const emailRecord = record('SentEmail', {
  id: Type.String(),
  time: Timestamp,
  user: Type.String({ description: 'Username of the user who sent it, or the id of one without' }),
  from: Nullable(AddressRecord),
  to: Type.Array(AddressRecord),
  cc: Type.Array(AddressRecord),
  bcc: Type.Array(AddressRecord),
  replyTo: Type.Array(AddressRecord),
  subject: Type.String(),
  text: Nullable(Type.String()),
  html: Nullable(Type.String()),
  links: Type.Array(record('EmailLink', { url: Type.String(), text: Type.String() }), {
    description: 'Links of the HTML and addresses of the texts, each once',
  }),
  codes: Type.Array(Type.String(), { description: 'One-time codes, such as 123456' }),
  headers: mapOf(Type.String()),
  attachments: Type.Array(
    record('SentAttachment', {
      filename: Type.String(),
      type: Nullable(Type.String()),
      disposition: Nullable(Type.String()),
      contentId: Nullable(Type.String()),
      size: Type.Integer({ description: 'Bytes' }),
      content: Type.String({ description: 'Base64' }),
    }),
  ),
});
/** An email that a program has sent. */
export interface EmailRecord extends Static<typeof emailRecord> {}
export const EmailRecord = Type.Unsafe<EmailRecord>(emailRecord);

const ADDRESS = 'Part of an address or a name';
const PART = 'Part of it';
const listCriteria = <S extends TSchema>(make: (description: string) => S) => ({
  user: make('Username or id'),
  from: make(ADDRESS),
  to: make(ADDRESS),
  cc: make(ADDRESS),
  bcc: make(ADDRESS),
  replyTo: make(ADDRESS),
  subject: make(PART),
  text: make('Part of the text'),
  html: make(PART),
});
/** Parts of texts, regular expressions, or matchers of a test runner. */
const criteria = listCriteria((description) =>
  Type.Optional(Type.Unsafe<unknown>({ type: ['string', 'object'], description, expected: 'a text' })),
);
const Attachments = Type.Unsafe<number | readonly unknown[]>({
  type: ['integer', 'array'],
  items: { type: ['string', 'object'] },
  expected: 'a number, or a list of filenames',
  description: 'Their number, or filenames',
});
const selection = {
  /** Only the last N emails. */
  limit: lastOf('Only the last N'),
};
/** The criteria of a filter over HTTP. */
export const EmailQuery = strictObject({
  ...listCriteria((description) => Type.Optional(Type.String({ description }))),
  attachments: Type.Optional(JsonText(Attachments)),
  ...selection,
});
const jsCriteria = {
  ...criteria,
  /** The number of attachments, or all filenames in order, which may be matchers of a test runner. */
  attachments: Type.Optional(Attachments),
};
export const FilterSchema = strictObject({ ...jsCriteria, ...selection });
export const EmailExpectationSchema = strictObject({
  ...jsCriteria,
  /** Exact number of matches. @default at least one */
  times: Type.Optional(Type.Integer({ minimum: 0, description: 'Default: at least one' })),
});

/** Selects emails. An absent criterion matches any. */
export interface EmailFilter extends Optional<Static<typeof FilterSchema>> {}

/** Criteria of emails, and the expected number of matches. */
export interface EmailExpectation extends Optional<Static<typeof EmailExpectationSchema>> {}
