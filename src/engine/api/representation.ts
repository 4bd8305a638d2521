import { ApiError } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';

/** Bytes with what a client compares to ask for them only when they have changed. Source: RFC 9110, sections 8.8 and 13. */
export class Representation {
  readonly bytes: Uint8Array;
  /** Without quotes. The same bytes have the same tag. */
  readonly tag: string;
  readonly modifiedAt: Instant;

  constructor(bytes: Uint8Array, tag: string, modifiedAt: Instant) {
    this.bytes = bytes;
    this.tag = tag;
    this.modifiedAt = modifiedAt;
  }
}

export const CONDITIONS = {
  'if-match': 'Tags of which the response must have one, or `*`; otherwise 412',
  'if-none-match': 'Tags of which the response must have none, or `*`; otherwise 304',
  'if-modified-since': 'An HTTP date after which it must have changed; otherwise 304',
  'if-unmodified-since': 'An HTTP date after which it must not have changed; otherwise 412',
} as const;
type Condition = keyof typeof CONDITIONS;

export const describeRepresentation = ({ tag, modifiedAt }: Representation): Record<string, string> => ({
  etag: `"${tag}"`,
  'last-modified': new Date(modifiedAt).toUTCString(),
});

/** What conditions are compared with. */
type Validators = Pick<Representation, 'tag' | 'modifiedAt'>;
/** The headers that say who has sent a request, and what. */
type Sender = 'accept' | 'authorization' | 'content-type' | 'origin' | 'sec-fetch-site';
export type ConditionReader = (name: Condition | Sender) => string | undefined;

const toSeconds = ({ modifiedAt }: Validators): number => Math.floor(modifiedAt / 1_000);

/** Evaluates the conditions that a write may have as well, If-Match and If-Unmodified-Since. @throws ApiError 412 */
export function assertMet(found: Validators, header: ConditionReader): void {
  const ifMatch = header('if-match');
  const unmodified = ifMatch === undefined ? parseSeconds(header('if-unmodified-since')) : undefined;
  const isMet =
    ifMatch === undefined
      ? unmodified === undefined || toSeconds(found) <= unmodified
      : hasTag(ifMatch, found.tag, 'strong');
  if (!isMet) throw new ApiError(412, 'Precondition Failed');
}

/** Evaluates the conditions of a GET, in the order of RFC 9110, section 13.2.2: a 304 if true. @throws ApiError 412 */
export function isKnown(found: Validators, header: ConditionReader): boolean {
  assertMet(found, header);
  const ifNoneMatch = header('if-none-match');
  if (ifNoneMatch !== undefined) return hasTag(ifNoneMatch, found.tag, 'weak');
  const modified = parseSeconds(header('if-modified-since'));
  return modified !== undefined && toSeconds(found) <= modified;
}

/** Whether a list of tags has one, as in `"a", W/"b"`. Only the weak comparison ignores `W/`. */
export function hasTag(list: string, tag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  const found = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return found.some((each) => (comparison === 'weak' ? each.replace(/^W\//, '') : each) === `"${tag}"`);
}

/** The form in which HTTP dates are sent. A date of another form is ignored. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

function parseSeconds(date: string | undefined): number | undefined {
  const time = date !== undefined && HTTP_DATE.test(date.trim()) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1_000;
}
