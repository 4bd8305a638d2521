import { encodeBase64 } from '#engine/lib/base64.js';
import { ExpectationError, OptionsError } from '#engine/lib/errors.js';
import { type Difference, findDifferences, formatRanked, rankByDifferences } from '#engine/lib/matching.js';
import { formatValue } from '#engine/lib/messages.js';
import { omitUndefined } from '#engine/lib/objects.js';
import { formatCount, thereWere } from '#engine/lib/text.js';
import { toTimestamp } from '#engine/lib/time.js';
import { describeErrors } from '#engine/schema/schema-errors.js';
import { compile, type Validator } from '#engine/schema/validator.js';
import type { State } from '#vals/lib/state.collection.js';
import type { Address, Email } from '#vals/service/service.collection.js';
import { getHandle } from '#vals/users/users.collection.js';
import { getAuthor } from '#vals/vals/val-records.collection.js';
import { findActions, readHtml } from './email-actions.sandbox.js';
import { EmailExpectationSchema, type EmailFilter, type EmailRecord, FilterSchema } from './outbox-schemas.sandbox.js';

const isFilter = compile(FilterSchema, 'strict');
const isExpectation = compile(EmailExpectationSchema, 'strict');

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
