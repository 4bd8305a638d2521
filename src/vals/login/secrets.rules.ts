import { createHash } from 'node:crypto';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Makes an opaque text of 43 characters from an id that was drawn. The same id gives the same text on every machine. */
export const makeSecret = (id: string, purpose: string): string => hash(`${purpose}:${id}`);

/** What a client exchanges for tokens. */
export type SecretKind = 'code' | 'device' | 'refresh';

const MARKS = { code: 'c', device: 'd', refresh: 'r' } as const satisfies Record<SecretKind, string>;

/** The form of a secret of a grant: the id of the grant, its kind, and what no client can guess. */
const OF_GRANT = /^([\w-]{22})([cdr])[\w-]{20}$/;

/** Makes a secret of a grant that names the grant, so that a used one differs from one that never was. */
export const makeGrantSecret = (grantId: string, kind: SecretKind, drawn: string): string => {
  const name = Buffer.from(grantId.replaceAll('-', ''), 'hex').toString('base64url');
  return name + MARKS[kind] + makeSecret(drawn, kind).slice(0, 20);
};

/** Returns the id of the grant that a secret of a kind names. Undefined for another text */
export function readGrantId(secret: string, kind: SecretKind): string | undefined {
  const [, name = '', mark] = OF_GRANT.exec(secret) ?? [];
  if (mark !== MARKS[kind]) return undefined;
  const hex = Buffer.from(name, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Makes the challenge of a verifier. Source: RFC 7636, section 4.6. */
export const toChallenge = (verifier: string): string => hash(verifier);

/** The letters of a user code, none of which is a vowel or looks like another one. Source: RFC 8628, section 6.1. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** Makes a user code: `WDJB-MJHT`. */
export function makeUserCode(drawn: string): string {
  const bytes = createHash('sha256').update(drawn).digest().subarray(0, 8);
  const code = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Returns a user code as a user may type it in the form that it has. */
export const normalizeUserCode = (typed: string): string => {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
};
