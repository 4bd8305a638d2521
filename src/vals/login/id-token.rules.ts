import { checkPrimeSync, createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { onceFor } from '#engine/lib/once.js';
import type { Instant } from '#engine/lib/time.js';
import type { Settings } from '#vals/lib/state.collection.js';
import type { TokenScope } from '#vals/users/scopes.collection.js';
import { getHandle, type User } from '#vals/users/users.collection.js';

/** Bits of each of the two primes of a key. */
const PRIME_BITS = 1_024;
const EXPONENT = 65_537n;

/** Draws bits from a string: the same bits on every machine. */
function drawBits(text: string, bits: number): bigint {
  const blocks = Array.from({ length: bits / 256 }, (_, i) =>
    createHash('sha256').update(`${text}:${i}`).digest('hex'),
  );
  return BigInt(`0x${blocks.join('')}`);
}

/** Finds the first prime above a number drawn from a string. */
function derivePrime(text: string): bigint {
  const top = 3n << BigInt(PRIME_BITS - 2);
  let prime = drawBits(text, PRIME_BITS) | top | 1n;
  while (prime % EXPONENT === 1n || !checkPrimeSync(prime, { checks: 8 })) prime += 2n;
  return prime;
}

/** Returns the inverse of a number, by the algorithm of Euclid. */
function invert(number: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [number % modulus, modulus, 1n, 0n];
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

function toBase64Url(number: bigint): string {
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}

interface SigningKeys {
  readonly key: KeyObject;
  readonly jwk: { readonly kid: string } & Readonly<Record<string, string>>;
}

/** Derives the key of id_tokens from the seed of ids, so that all nodes have the same, and a restart keeps it. It protects nothing. */
export const getSigningKeys = onceFor(({ idSeed }: Settings): SigningKeys => {
  const [p, q] = [derivePrime(`${idSeed}:p`), derivePrime(`${idSeed}:q`)];
  const d = invert(EXPONENT, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: invert(q, p) };
  const texts = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, toBase64Url(value)]));
  const { n = '', e = '' } = texts;
  const kid = createHash('sha256').update(n).digest('base64url').slice(0, 16);
  const key = createPrivateKey({ key: { kty: 'RSA', ...texts }, format: 'jwk' });
  return { key, jwk: { kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e } };
});

interface Claims {
  readonly issuer: string;
  readonly clientId: string;
  readonly user: User;
  readonly scopes: readonly TokenScope[];
  readonly nonce?: string | undefined;
  readonly now: Instant;
}

/** Seconds for which an id_token is valid. Source: the default of oidc-provider. */
const LIFETIME = 3_600;

/** Signs who has logged in. Source: OpenID Connect Core 1.0, section 2. */
export function makeIdToken(settings: Settings, { issuer, clientId, user, scopes, nonce, now }: Claims): string {
  const { key, jwk } = getSigningKeys(settings);
  const seconds = Math.floor(now / 1_000);
  const claims = {
    ...{ iss: issuer, sub: user.id, aud: clientId, iat: seconds, exp: seconds + LIFETIME },
    ...(nonce !== undefined && { nonce }),
    ...(scopes.includes('profile') && { preferred_username: getHandle(user) }),
    ...(scopes.includes('email') && { email: user.email }),
  };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid: jwk.kid })}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}
