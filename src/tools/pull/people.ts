import { isObject } from '#engine/lib/objects.js';
import { collectAddress, exampleAddress, replaceAddresses } from '#engine/lib/redactor.js';

/** Replaces the email addresses of accounts, also in texts, and their pictures. */
export function hideAddresses(documents: readonly unknown[]): (document: unknown) => unknown {
  const addresses = new Map<string, string>();
  for (const document of documents) collectAddress(document, addresses, exampleAddress);
  const hide = (value: unknown, key = ''): unknown => {
    if (key === 'profileImageUrl') return null;
    if (typeof value === 'string') return replaceAddresses(value, addresses);
    if (Array.isArray(value)) return value.map((item) => hide(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hide(field, name)]));
  };
  return hide;
}
