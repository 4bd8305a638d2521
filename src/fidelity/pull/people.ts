import { createHash } from 'node:crypto';
import type { Faker } from '@faker-js/faker';
import { UUID_PATTERN } from '../../lib/ids.js';
import { isObject } from '../../lib/objects.js';
import { collectAddress, exampleAddress, replaceAddresses } from '../../lib/redactor.js';

const UUID = new RegExp(String.raw`\b${UUID_PATTERN.source}\b`, 'gi');
/** The name of a user in the URL of an import or of a page. */
const ADDRESS = /((?:esm\.town\/v|val\.town\/[uvx])\/@?)([a-zA-Z]\w*)/g;
/** A mention. In code, an @ begins a package, a decorator or a rule of CSS instead. */
const MENTION = /((?<![\w.])@)([a-zA-Z]\w*)/g;
/** A val with its author, in the error of a run. */
const QUALIFIED = /^()([a-zA-Z]\w*)(?=\.\w+$)/;
/** The host of an endpoint begins with the name of its author. */
const ENDPOINT = /(https:\/\/)([a-z]\w*)(?=-[\w.-]+\.(?:web\.)?val\.run)/gi;

/** Replaces personal data in the documents of a service. */
export interface People {
  /** Finds personal data in a document. */
  learn(document: unknown): void;
  /** Replaces all personal data found so far. */
  replace(document: unknown): unknown;
  /** Whether profiles are useless, since all of their fields are replaced. */
  readonly isAnonymous: boolean;
}

export const keepPeople: People = { learn() {}, replace: (document) => document, isAnonymous: false };

/** Replaces email addresses of accounts, also in texts, and their pictures. */
export function hideAddresses(): People {
  const addresses = new Map<string, string>();
  return {
    isAnonymous: false,
    learn: (document) => collectAddress(document, addresses, exampleAddress),
    replace(document) {
      const withoutPictures = mapObjects(document, hidePicture);
      return mapTexts(withoutPictures, (text) => replaceAddresses(text, addresses));
    },
  };
}

const hidePicture = (fields: Record<string, unknown>) => ('profileImageUrl' in fields ? { profileImageUrl: null } : {});

/** Replaces the ids, names, bios, addresses and pictures of users throughout, by a seed. */
export async function anonymize(seed: string): Promise<People> {
  const { faker } = await import('@faker-js/faker/locale/en');
  const users = new Set<string>();
  const digest = (text: string) => createHash('sha256').update(`${seed}\n${text.toLowerCase()}`).digest('hex');
  const toId = (id: string) => {
    const hex = digest(id);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const toName = (name: string) => {
    const hex = digest(name);
    return `${seeded(faker, hex).person.firstName().toLowerCase().replaceAll(/\W/g, '')}_${hex.slice(0, 6)}`;
  };
  const addresses = new Map<string, string>();
  const toAddress = (name: unknown) => exampleAddress(typeof name === 'string' ? toName(name) : undefined);
  const renameIn = (text: string, pattern: RegExp) =>
    text.replace(pattern, (_, before: string, name: string) => before + toName(name));
  const toText = (text: string, key: string) => {
    const known = replaceAddresses(text, addresses).replace(UUID, (id) =>
      users.has(id.toLowerCase()) ? toId(id) : id,
    );
    const renamed = renameIn(renameIn(known, ADDRESS), ENDPOINT);
    if (key === 'val') return renameIn(renamed, QUALIFIED);
    return key === 'code' ? renamed : renameIn(renamed, MENTION);
  };
  const replaceFields = (fields: Record<string, unknown>) => {
    const { username, bio, id } = fields;
    return {
      ...(typeof username === 'string' && { username: toName(username) }),
      ...(typeof bio === 'string' && { bio: seeded(faker, digest(String(id))).person.bio() }),
      ...hidePicture(fields),
    };
  };
  return {
    learn(document) {
      collectUsers(document, users);
      collectAddress(document, addresses, toAddress);
    },
    replace: (document) => mapTexts(mapObjects(document, replaceFields), toText),
    isAnonymous: true,
  };
}

function seeded(faker: Faker, hex: string): Faker {
  faker.seed(Number.parseInt(hex.slice(0, 8), 16));
  return faker;
}

/** Collects the ids of users from objects with a username, and from keys such as `author_id`. */
function collectUsers(document: unknown, users: Set<string>): void {
  if (Array.isArray(document)) for (const item of document) collectUsers(item, users);
  if (!isObject(document)) return;
  const { id, username, author_id: authorId, name } = document;
  if (username !== undefined && name === undefined && typeof id === 'string') users.add(id.toLowerCase());
  if (typeof authorId === 'string') users.add(authorId.toLowerCase());
  for (const field of Object.values(document)) collectUsers(field, users);
}

/** Replaces fields of all objects in a document. @param change returns the fields that change */
function mapObjects(document: unknown, change: (fields: Record<string, unknown>) => object): unknown {
  if (Array.isArray(document)) return document.map((item) => mapObjects(item, change));
  if (!isObject(document)) return document;
  const fields = Object.entries(document).map(([key, value]) => [key, mapObjects(value, change)]);
  return { ...Object.fromEntries(fields), ...change(document) };
}

/** @param change is also called with the key of the text, or of the list that it is in */
function mapTexts(document: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof document === 'string') return change(document, key);
  if (Array.isArray(document)) return document.map((item) => mapTexts(item, change, key));
  if (!isObject(document)) return document;
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, mapTexts(value, change, name)]));
}
