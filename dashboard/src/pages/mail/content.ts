import type { SentEmail } from '../../lib/types.js';
import { listAddresses } from '../../ui/external.js';

/** Protocols of links that a person may follow. Scripts and data are none. */
const PROTOCOL = /^(?:https?|mailto):/i;
/** A code to type: six digits, or four to eight behind a word for it. */
const CODE = /(?<=\b(?:code|pin|passcode|password)\b\D{0,20})\b\d{4,8}\b|\b\d{6}\b/gi;

interface EmailLink {
  readonly address: string;
  /** What the email calls it; the address where it says no more. */
  readonly label: string;
}

/** An image, style or font of another host. */
const REMOTE =
  /\b(?:src|srcset|background|poster)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\/|<link\b/i;

/** Whether HTML loads something from another host, if it may. */
export const hasRemoteContent = (html: string): boolean => REMOTE.test(html);

/** Parses HTML without its styles, of which the browser would complain in a page that allows none. */
const parseHtml = (html: string): Document =>
  new DOMParser().parseFromString(
    html.replaceAll(/\sstyle(?=\s*=)/gi, ' data-style').replaceAll(/<(\/?)style\b/gi, '<$1template'),
    'text/html',
  );

/** Finds what an email asks a person to follow or to type: the links of its HTML, the addresses and the codes of its text. */
export function findActions({ html, text, subject }: SentEmail) {
  const { body } = parseHtml(html ?? '');
  const anchors = [...body.querySelectorAll('a[href]')].map((anchor) => ({
    address: anchor.getAttribute('href')?.trim() ?? '',
    label: anchor.textContent?.trim() ?? '',
  }));
  const links = new Map<string, EmailLink>();
  for (const { address, label } of [
    ...anchors,
    ...listAddresses(text ?? '').map((address) => ({ address, label: address })),
  ]) {
    if (PROTOCOL.test(address) && !links.has(address)) links.set(address, { address, label: label || address });
  }
  for (const script of body.querySelectorAll('script')) script.remove();
  const words = [subject, text, body.textContent].join('\n').replaceAll(/https?:\S+/g, '');
  const codes = new Set(words.match(CODE));
  return { links: [...links.values()], codes: [...codes] };
}
