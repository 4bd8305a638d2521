import { decodeBase64 } from '#engine/lib/base64.js';
import type { Instant } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';
import { drawId } from '#engine/state/state.js';
import type { Draft } from '#vals/lib/state.collection.js';
import type { Address, Attachment, Email, User } from '#vals/service/service.collection.js';
import { getHandle } from '#vals/users/users.collection.js';
import { type AddressesInput, type AddressInput, isList, toAddresses } from './emails.collection.js';

/** The sender of an email that names none, and the domain of all others. Source: the service's documentation of `std/email`. */
export const DEFAULT_SENDER = 'notifications@val.town';
export const SENDER_DOMAIN = 'valtown.email';
/** Characters of a line. A header is folded at its spaces. Source: RFC 5322, sections 2.1.1 and 2.2.3. */
const LONGEST_LINE = 998;

export interface EmailInput {
  readonly from?: AddressInput | undefined;
  /** Default: the user. */
  readonly to?: AddressesInput | undefined;
  readonly cc?: AddressesInput | undefined;
  readonly bcc?: AddressesInput | undefined;
  readonly replyTo?: AddressInput | undefined;
  readonly replyToList?: AddressesInput | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly attachments?: readonly AttachmentInput[] | undefined;
}

interface AttachmentInput {
  /** Base64. */
  readonly content: string;
  readonly filename: string;
  readonly type?: string | undefined;
  readonly disposition?: string | undefined;
  readonly contentId?: string | undefined;
}

/** Keeps an email of a user. @throws ApiError 400 for a sender, a header or an attachment that cannot be sent */
export function sendEmail(draft: Draft, caller: User, input: EmailInput, now: Instant): Email {
  for (const [path, text] of listHeaders(input)) checkHeader(path, text);
  const email: Email = {
    id: drawId(draft),
    userId: caller.id,
    from: toSender(input.from, caller),
    to: toAddresses(input.to ?? { email: caller.email, name: caller.username }),
    cc: toAddresses(input.cc),
    bcc: toAddresses(input.bcc),
    replyTo: toAddresses(input.replyToList ?? input.replyTo),
    subject: input.subject ?? `Message from @${getHandle(caller)} on Val Town`,
    text: input.text ?? null,
    html: input.html ?? null,
    headers: input.headers ?? {},
    attachments: (input.attachments ?? []).map(toAttachment),
    createdAt: now,
    serial: draft.nextSerial++,
  };
  draft.emails = draft.emails.put(email);
  return email;
}

const refuse = (path: string, problem: string) => badRequest(`body/${path} must ${problem}`, 'FST_ERR_VALIDATION');

function toSender(input: AddressInput | undefined, caller: User): Address {
  const [sender] = toAddresses(input);
  if (!sender) return { email: DEFAULT_SENDER, name: null };
  const email = sender.email.toLowerCase();
  const [start, end] = [`${getHandle(caller).toLowerCase()}.`, `@${SENDER_DOMAIN}`];
  const val = email.startsWith(start) && email.endsWith(end) ? email.slice(start.length, -end.length) : '';
  if (/^[^@\s]+$/.test(val)) return sender;
  throw refuse('from', `be ${getHandle(caller)}.<val>@${SENDER_DOMAIN}, or absent for ${DEFAULT_SENDER}`);
}

const ADDRESS_FIELDS = ['from', 'to', 'cc', 'bcc', 'replyTo', 'replyToList'] as const;

/** Lists the texts that become headers of an email, as they were sent, with their paths. */
function* listHeaders(input: EmailInput): Generator<[path: string, text: string]> {
  const { subject = '', headers = {}, attachments = [] } = input;
  yield ['subject', subject];
  for (const field of ADDRESS_FIELDS) for (const text of listTexts(input[field])) yield [field, text];
  for (const text of Object.entries(headers).flat()) yield ['headers', text];
  for (const [index, { filename, type = '', disposition = '', contentId = '' }] of attachments.entries()) {
    for (const text of [filename, type, disposition, contentId]) yield [`attachments/${index}`, text];
  }
}

function listTexts(input: AddressesInput = []): string[] {
  if (isList(input)) return input.flatMap((each) => listTexts(each));
  return typeof input === 'string' ? [input] : [input.email, input.name ?? ''];
}

/** @throws ApiError 400 for a text that would end the header, or cannot be folded */
function checkHeader(path: string, text: string): void {
  if (/[\r\n\0]/.test(text)) throw refuse(path, 'NOT have CR, LF or NUL');
  const isLong = text.split(/[ \t]/).some((word) => word.length > LONGEST_LINE);
  if (isLong) throw refuse(path, `NOT have a word of more than ${LONGEST_LINE} characters`);
}

function toAttachment(input: AttachmentInput, index: number): Attachment {
  const content = decodeBase64(input.content);
  if (!content) throw refuse(`attachments/${index}/content`, 'be base64');
  const { filename, type = null, disposition = null, contentId = null } = input;
  return { filename, type, disposition, contentId, content };
}
