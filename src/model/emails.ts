import { decodeBase64 } from '../lib/base64.js';
import type { Instant } from '../lib/time.js';
import { badRequest } from './errors.js';
import type { User } from './schema.js';
import { type Draft, drawId } from './state.js';
import type { Address, Attachment, Email } from './user-data.js';

/** An address as programs write it: `ada@example.com`, `Ada <ada@example.com>`, or its parts. */
export type AddressInput = string | { readonly email: string; readonly name?: string | null | undefined };
export type AddressesInput = AddressInput | readonly AddressInput[];

export interface EmailInput {
  readonly from?: AddressInput | undefined;
  /** Default: the user. */
  readonly to?: AddressesInput | undefined;
  readonly cc?: AddressesInput | undefined;
  readonly bcc?: AddressesInput | undefined;
  readonly replyTo?: AddressesInput | undefined;
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

export function toAddress(input: AddressInput): Address {
  if (typeof input !== 'string') return { email: input.email, name: input.name ?? null };
  const start = input.lastIndexOf('<');
  if (start < 0 || !input.endsWith('>')) return { email: input.trim(), name: null };
  const name = input
    .slice(0, start)
    .trim()
    .replace(/^"(.*)"$/s, '$1');
  return { email: input.slice(start + 1, -1).trim(), name: name === '' ? null : name };
}

const isList = (input: AddressesInput): input is readonly AddressInput[] => Array.isArray(input);

/** Makes a list. The coercion of a union, such as `[["ada@example.com"]]`, leaves lists in lists. */
export const toAddresses = (input: AddressesInput = []): Address[] =>
  isList(input) ? input.flatMap((each) => toAddresses(each)) : [toAddress(input)];

/** Keeps an email of a user. @throws ApiError 400 for an attachment that is not base64 */
export function sendEmail(draft: Draft, caller: User, input: EmailInput, now: Instant): Email {
  const email: Email = {
    id: drawId(draft),
    userId: caller.id,
    from: toAddresses(input.from)[0] ?? null,
    to: toAddresses(input.to ?? { email: caller.email, name: caller.username }),
    cc: toAddresses(input.cc),
    bcc: toAddresses(input.bcc),
    replyTo: toAddresses(input.replyToList ?? input.replyTo),
    subject: input.subject ?? '',
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

function toAttachment(input: AttachmentInput, index: number): Attachment {
  const content = decodeBase64(input.content);
  if (!content) throw badRequest(`body/attachments/${index}/content must be base64`, 'FST_ERR_VALIDATION');
  const { filename, type = null, disposition = null, contentId = null } = input;
  return { filename, type, disposition, contentId, content };
}
