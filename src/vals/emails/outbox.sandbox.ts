import { type Static, type TSchema, Type } from 'typebox';
import { encodeBase64 } from '#engine/lib/base64.js';
import { ExpectationError, OptionsError } from '#engine/lib/errors.js';
import { type Difference, findDifferences, formatRanked, rankByDifferences } from '#engine/lib/matching.js';
import { formatValue } from '#engine/lib/messages.js';
import { type Optional, omitUndefined } from '#engine/lib/objects.js';
import { formatCount, thereWere } from '#engine/lib/text.js';
import { toTimestamp } from '#engine/lib/time.js';
import { Nullable, Timestamp } from '#engine/schema/common.js';
import { JsonText, lastOf, mapOf, record, strictObject } from '#engine/schema/schema.js';
import { describeErrors } from '#engine/schema/schema-errors.js';
import { compile, type Validator } from '#engine/schema/validator.js';
import type { State } from '#vals/lib/state.collection.js';
import type { Address, Email } from '#vals/service/service.collection.js';
import { getHandle } from '#vals/users/users.collection.js';
import { getAuthor } from '#vals/vals/val-records.collection.js';
import { findActions, readHtml } from './email-actions.sandbox.js';

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
const FilterSchema = strictObject({ ...jsCriteria, ...selection });
export const EmailExpectationSchema = strictObject({
  ...jsCriteria,
  /** Exact number of matches. @default at least one */
  times: Type.Optional(Type.Integer({ minimum: 0, description: 'Default: at least one' })),
});
const isFilter = compile(FilterSchema, 'strict');
const isExpectation = compile(EmailExpectationSchema, 'strict');

/** Selects emails. An absent criterion matches any. */
export interface EmailFilter extends Optional<Static<typeof FilterSchema>> {}

/** Criteria of emails, and the expected number of matches. */
export interface EmailExpectation extends Optional<Static<typeof EmailExpectationSchema>> {}

function parse<T>(isValid: Validator<T>, input: unknown): T {
  const given = omitUndefined(input);
  if (!isValid(given)) throw new OptionsError(describeErrors(isValid.errors, ''));
  return given;
}

export function toEmailRecord(state: State, email: Email): EmailRecord {
  const { id, createdAt, userId, from, to, cc, bcc, replyTo, subject, text, html, headers, attachments } = email;
  const copy = (addresses: readonly Address[]) => addresses.map((address) => ({ ...address }));
  return {
    ...{ id, time: toTimestamp(createdAt), user: getHandle(getAuthor(state, { authorId: userId })) },
    ...{ from: from && { ...from }, to: copy(to), cc: copy(cc), bcc: copy(bcc), replyTo: copy(replyTo) },
    ...{ subject, text, html, ...findActions(email), headers: { ...headers } },
    attachments: attachments.map((each) => ({
      ...each,
      size: each.content.length,
      content: encodeBase64(each.content),
    })),
  };
}

/** The target of a link, which would open in the frame. */
const TARGET = /(<a\s[^<>]*?)\btarget\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>]+)/gi;

/** Returns the HTML of an email, with the attachments that it refers to by `cid:`. Its links open in another tab. */
export const toHtml = ({ html, attachments }: Email): string =>
  (html ?? '')
    .replace(/^\s*(?:<!doctype[^>]*>)?/i, '$&<base target="_blank">')
    .replaceAll(TARGET, '$1')
    .replace(/\bcid:([^"'\s)>]+)/g, (reference, id: string) => {
      const found = attachments.find(({ contentId }) => contentId?.replace(/^<(.*)>$/, '$1') === id);
      return found ? `data:${found.type ?? 'image/png'};base64,${encodeBase64(found.content)}` : reference;
    });

/** Lists the emails that match, the oldest first. @throws OptionsError for an unknown key or a wrong value */
export function listEmails(state: State, filter: unknown): Email[] {
  const { limit, ...wanted } = parse(isFilter, filter);
  const found = [...state.emails.by.serial.range()].filter((email) => compare(state, wanted, email).next().done);
  return limit === undefined ? found : found.slice(-limit);
}

/**
 * Asserts that an email was sent, and returns the last one that matches.
 * @throws ExpectationError with the near misses and their differences
 * @throws OptionsError for an unknown key or a wrong value
 */
export function expectEmail(state: State, expectation: unknown): EmailRecord | undefined {
  const { times, ...wanted } = parse(isExpectation, expectation);
  const all = [...state.emails.by.serial.range()];
  const matches = all.filter((email) => compare(state, wanted, email).next().done);
  const found = matches.length;
  const last = matches.at(-1);
  if (times === undefined ? found > 0 : found === times) return last && toEmailRecord(state, last);
  const number = times === undefined ? 'at least one email' : formatCount(times, 'email');
  const values = Object.entries(wanted).map(([key, value]) => ` with ${key} ${formatValue(value)}`);
  const counted = `but ${thereWere(found)} of ${all.length} in all`;
  const compared = found > (times ?? found) ? matches : all;
  throw new ExpectationError(
    `expected ${number}${values.join('')}, ${counted}.\n${describeNearMisses(state, wanted, compared)}`,
  );
}

/** Emails that are compared for near misses: the last ones. */
const MAX_COMPARED = 1_000;

function describeNearMisses(state: State, wanted: EmailFilter, all: readonly Email[]): string {
  if (all.length === 0) return 'No email was sent.';
  const ranked = rankByDifferences(all.slice(-MAX_COMPARED), (email) => compare(state, wanted, email));
  return formatRanked(
    ranked,
    ({ subject, to }) => `  ${formatValue(subject)} to ${to.map(({ email }) => email).join(', ')}`,
  );
}

/** A string matches a part of the value, ignoring case; a regular expression or a test runner's matcher is applied to the whole value. */
const hasPart = (wanted: unknown, found: string | null): boolean =>
  typeof wanted === 'string'
    ? found?.toLowerCase().includes(wanted.toLowerCase()) === true
    : findDifferences(wanted, found).next().done === true;

/** Finds how an email differs from criteria, one by one. */
function* compare(state: State, wanted: Readonly<Record<string, unknown>>, email: Email): Generator<Difference, void> {
  const { from, to, cc, bcc, replyTo, subject, text, html, attachments } = email;
  const author = getAuthor(state, { authorId: email.userId });
  const user = getHandle(author);
  if (wanted.user !== undefined && wanted.user !== author.id) yield* findDifferences(wanted.user, user, 'user');
  const texts = { subject, text: text ?? (html && wanted.text !== undefined ? readHtml(html) : null), html };
  for (const [key, value] of Object.entries(texts))
    if (wanted[key] !== undefined && !hasPart(wanted[key], value))
      yield { path: key, wanted: wanted[key], found: value };
  for (const [key, value] of Object.entries({ from: from ? [from] : [], to, cc, bcc, replyTo })) {
    const criterion = wanted[key];
    if (criterion === undefined) continue;
    const isFound = value.some(
      ({ email, name }) => hasPart(criterion, email) || (name !== null && hasPart(criterion, name)),
    );
    if (!isFound) yield { path: key, wanted: criterion, found: value.map(({ email }) => email) };
  }
  const names = attachments.map(({ filename }) => filename);
  const count = wanted.attachments;
  if (count !== undefined)
    yield* findDifferences(count, typeof count === 'number' ? names.length : names, 'attachments');
}
