import { isObject } from '../lib/objects.js';
import { escapePattern } from '../lib/text.js';

/** What stands for the email address of a user in what a command writes. */
export const exampleAddress = (username: unknown): string => `${username ?? 'user'}@example.com`;

/** Collects the email address of an account, with what stands for it. The service shows that of the caller. */
export function collectAddress(
  document: unknown,
  addresses: Map<string, string>,
  replacementFor: (username: unknown) => string,
): void {
  if (!isObject(document) || typeof document.email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(document.email)) return;
  if (!addresses.has(document.email)) addresses.set(document.email, replacementFor(document.username));
}

export function replaceAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  let replaced = text;
  for (const [address, replacement] of addresses) {
    replaced = replaced.replaceAll(new RegExp(`(?<![\\w.+-])${escapePattern(address)}(?![\\w-])`, 'gi'), replacement);
  }
  return replaced;
}
