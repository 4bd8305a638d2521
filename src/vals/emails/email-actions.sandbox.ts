import type { Email } from '#vals/service/service.collection.js';

/** A link of an email. */
export interface EmailLink {
  readonly url: string;
  /** What the email calls it; the URL where it says no more. */
  readonly text: string;
}

/** Protocols of links that a person may follow. Scripts and data are none. */
const PROTOCOL = /^(?:https?|mailto):/i;
/** A web address in plain text, without the punctuation behind it. */
const ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/gi;
/** What may be a code: digits, also in two groups of three, or capital letters with digits, also with hyphens. */
const CODE =
  /(?<![\w#$€£/-]|\d[.,:])(?:\d{3}[ -]\d{3}|\d{4,8}|(?=[A-Z-]*\d)[A-Z\d]{3,8}(?:-[A-Z\d]{3,8}){0,2})(?![\w/-]|[.,:]\d)/g;
/** A word for a code, before it and behind it. */
const WORD = String.raw`\b(?:code|pin|passcode|password|otp)\b`;
const BEFORE = new RegExp(String.raw`${WORD}\D{0,20}$`, 'i');
const BEHIND = new RegExp(String.raw`^[^\d.!?]{0,20}${WORD}`, 'i');
/** Characters around a code in which its word is. */
const NEAR = 40;

/**
 * Finds what an email asks a person to follow or to type: the links of its HTML and the addresses of its texts, and its one-time
 * codes. A code is a number of six digits. Next to one of the words code, pin, passcode, password and otp, it may have four to eight
 * digits, two groups of three, or capital letters with digits.
 */
export function findActions({ html, text, subject }: Pick<Email, 'html' | 'text' | 'subject'>) {
  const parsed = html === null ? { anchors: [], text: '' } : parseHtml(html);
  const texts = [text ?? '', parsed.text];
  const links = new Map<string, EmailLink>();
  for (const { url, text } of [...parsed.anchors, ...texts.flatMap(listAddresses)])
    if (PROTOCOL.test(url) && !links.has(url)) links.set(url, { url, text: text || url });
  const words = [subject, ...texts].join('\n').replaceAll(/https?:\S+/gi, '');
  const codes = Array.from(words.matchAll(CODE))
    .filter(({ 0: code, index }) => isCode(words, index, code))
    .map(([code]) => (/[A-Z]/.test(code) ? code : code.replace(/\D/, '')));
  return { links: [...links.values()], codes: [...new Set(codes)] };
}

const listAddresses = (text: string): EmailLink[] => (text.match(ADDRESS) ?? []).map((url) => ({ url, text: url }));

const isCode = (words: string, index: number, code: string): boolean =>
  /^\d{6}$/.test(code) ||
  BEFORE.test(words.slice(Math.max(0, index - NEAR), index)) ||
  BEHIND.test(words.slice(index + code.length, index + code.length + NEAR));

/** Returns what a person reads of HTML. */
export const readHtml = (html: string): string => parseHtml(html).text;

/** Tags that end no word. */
const INLINE = /^\/?(?:a|abbr|b|code|em|font|i|mark|small|span|strong|sub|sup|u)\b/i;
/** Elements whose content is not shown. */
const HIDDEN = /^(?:script|style|title|template)\b/i;
const HREF = /^a\s(?:[^>]*?\s)?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** Finds the links of HTML and its text. Takes linear time, whatever a program sends. */
function parseHtml(html: string): { readonly anchors: EmailLink[]; readonly text: string } {
  const anchors: { url: string; text: string }[] = [];
  let text = '';
  let hidden: string | undefined;
  let anchor: { url: string; text: string } | undefined;
  for (const part of withoutComments(html)
    .split('<')
    .map((each, index) => (index === 0 ? `>${each}` : each))) {
    const end = part.indexOf('>');
    const tag = part.slice(0, Math.max(end, 0));
    if (hidden !== undefined && !tag.toLowerCase().startsWith(`/${hidden}`)) continue;
    hidden = HIDDEN.exec(tag)?.[0].toLowerCase();
    const [, double, single, bare] = HREF.exec(tag) ?? [];
    const url = double ?? single ?? bare;
    if (/^\/a\b/i.test(tag)) anchor = undefined;
    if (url !== undefined) {
      anchor = { url: decode(url).trim(), text: '' };
      anchors.push(anchor);
    }
    if (hidden !== undefined) continue;
    const words = decode(end < 0 ? `<${part}` : part.slice(end + 1)).replaceAll(/\s+/g, ' ');
    if (anchor) anchor.text += words;
    text += (INLINE.test(tag) || tag === '' ? '' : '\n') + words;
  }
  return { anchors: anchors.map((each) => ({ ...each, text: each.text.trim() })), text: text.trim() };
}

function withoutComments(html: string): string {
  let rest = '';
  for (let index = 0; ; ) {
    const start = html.indexOf('<!--', index);
    if (start < 0) return rest + html.slice(index);
    rest += html.slice(index, start);
    // As browsers do: <!--> is whole.
    const end = html.indexOf('-->', start + 2);
    if (end < 0) return rest;
    index = end + 3;
  }
}

/** The characters that HTML cannot have as they are, and the space that does not break. */
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const MAX_CODE_POINT = 0x10ffff;

const decode = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (found, hex, decimal, name: string | undefined) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? found;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= MAX_CODE_POINT ? String.fromCodePoint(point) : found;
  });
