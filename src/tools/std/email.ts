import { call, markStack, readProblem, startStack } from './place.js';

export interface Address {
  readonly email: string;
  readonly name?: string | undefined;
}

/** The name of the service. */
export type IAddress = Address;

/** An address, or one with a name: `Ada <ada@example.com>`. */
export type AddressInput = string | Address;
export type Addresses = AddressInput | readonly AddressInput[];

export interface Attachment {
  /** Base64. */
  readonly content: string;
  readonly filename: string;
  readonly type?: string | undefined;
  readonly disposition?: string | undefined;
  readonly contentId?: string | undefined;
}

export interface EmailData {
  /** Default: the user. */
  readonly to?: Addresses | undefined;
  readonly from?: AddressInput | undefined;
  readonly cc?: Addresses | undefined;
  readonly bcc?: Addresses | undefined;
  readonly replyTo?: Addresses | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** Source: the service's standard library, which compares it. */
const ACCEPTED = 'Email accepted to be sent';

/** Splits an address into its parts, as lists of replies need them. */
function toAddress(input: AddressInput): Address {
  if (typeof input !== 'string') return input;
  const [, name = '', email = ''] = /^(.*)<([^<>]+)>\s*$/s.exec(input) ?? [];
  return email === '' ? { email: input.trim() } : { email, name: name.trim().replace(/^"(.*)"$/s, '$1') };
}

const isList = (input: Addresses): input is readonly AddressInput[] => Array.isArray(input);

/**
 * Sends an email, which the emulator keeps.
 * @throws Error `Val Town Email Error: …` if it is refused
 */
export async function email(given: EmailData): Promise<{ message: string }> {
  // Not in the parameters: Deno infers the types of a served module from them.
  const { replyTo, ...data } = given;
  const mark = markStack(email);
  const replies = replyTo && (isList(replyTo) ? replyTo : [replyTo]).map(toAddress);
  const body = JSON.stringify({ ...data, replyToList: replies });
  const headers = { 'content-type': 'application/json' };
  const response = await call('std/email', import.meta.url, '/v1/email', { method: 'POST', headers, body });
  const { message } = await readProblem(response);
  if (message === ACCEPTED) return { message };
  throw startStack(new Error(`Val Town Email Error: ${message}`), mark);
}
