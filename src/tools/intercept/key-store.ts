import { createHash } from 'node:crypto';

/** The number at the start of a key store, its version, and the kind of an entry with a trusted certificate. */
const [MAGIC, VERSION, TRUSTED] = [0xfeedfeed, 2, 2];
/** What the digest at the end begins with. Without a password, Java does not check it. */
const DIGEST_PREFIX = 'Mighty Aphrodite';

/** Makes a key store of Java, in its format JKS, of certificates in PEM. Source: sun.security.provider.JavaKeyStore. */
export function makeKeyStore(pem: string): Buffer {
  const certificates = [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END/g)];
  const entries = certificates.flatMap(([, base64 = ''], index) => {
    const der = Buffer.from(base64, 'base64');
    return [toInt(TRUSTED), toText(`root-${index}`), Buffer.alloc(8), toText('X.509'), toInt(der.length), der];
  });
  const content = Buffer.concat([toInt(MAGIC), toInt(VERSION), toInt(certificates.length), ...entries]);
  return Buffer.concat([content, createHash('sha1').update(DIGEST_PREFIX).update(content).digest()]);
}

const toInt = (value: number): Buffer => Buffer.from(value.toString(16).padStart(8, '0'), 'hex');

/** Two bytes of the length, and the text. */
const toText = (text: string): Buffer => Buffer.concat([toInt(text.length).subarray(2), Buffer.from(text)]);
