import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as x509 from '@peculiar/asn1-x509';

/** A certificate authority that has issued one certificate. */
export interface Authority {
  /** Its certificate in PEM, which clients have to trust. */
  readonly certificate: string;
  /** Key and certificate of the server, in PEM. */
  readonly server: { readonly key: string; readonly cert: string };
}

/** Milliseconds for which the certificates are valid. */
const VALIDITY_MS = 86_400_000;
/** Milliseconds by which the clock of a client, as in a container, may be late. */
const CLOCK_DIFFERENCE_MS = 3_600_000;

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';

/**
 * Creates an authority, and a server certificate for `names`. Critical name constraints limit the authority to these names
 * and those below them. Its key is used once and not returned.
 * @param now the current time in milliseconds
 */
export function createAuthority(names: readonly string[], now: number): Authority {
  const { publicKey: ownKey, privateKey: signingKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = toName('val-emulator, an authority for one run');
  const keyIdentifier = new x509.KeyIdentifier(createHash('sha256').update(toDer(ownKey)).digest().subarray(0, 20));
  const validity = new x509.Validity({
    notBefore: new Date(now - CLOCK_DIFFERENCE_MS),
    notAfter: new Date(now + VALIDITY_MS),
  });
  const signature = new x509.AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const issue = (subject: x509.Name, key: KeyObject, extensions: x509.Extension[]): string => {
    const tbsCertificate = new x509.TBSCertificate({
      // 16 bytes of a positive number.
      serialNumber: new Uint8Array([1, ...randomBytes(15)]).buffer,
      ...{ version: x509.Version.v3, signature, issuer, validity, subject },
      subjectPublicKeyInfo: AsnConvert.parse(toDer(key), x509.SubjectPublicKeyInfo),
      extensions: new x509.Extensions(extensions),
    });
    const signed = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signingKey);
    const signatureValue = new Uint8Array(signed).buffer;
    return toPem(new x509.Certificate({ tbsCertificate, signatureAlgorithm: signature, signatureValue }));
  };
  const certificate = issue(issuer, ownKey, [
    extend(x509.id_ce_basicConstraints, true, new x509.BasicConstraints({ cA: true, pathLenConstraint: 0 })),
    extend(x509.id_ce_keyUsage, true, new x509.KeyUsage(x509.KeyUsageFlags.keyCertSign)),
    extend(x509.id_ce_subjectKeyIdentifier, false, keyIdentifier),
    extend(x509.id_ce_nameConstraints, true, toConstraints(names)),
  ]);
  const cert = issue(toName(names[0] ?? ''), server.publicKey, [
    extend(x509.id_ce_basicConstraints, true, new x509.BasicConstraints({ cA: false })),
    extend(x509.id_ce_keyUsage, true, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature)),
    extend(x509.id_ce_extKeyUsage, false, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
    // Python 3.13 requires it.
    extend(x509.id_ce_authorityKeyIdentifier, false, new x509.AuthorityKeyIdentifier({ keyIdentifier })),
    extend(x509.id_ce_subjectAltName, false, new x509.SubjectAlternativeName(names.map(toDnsName))),
  ]);
  return { certificate, server: { key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert } };
}

const toDer = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

function toPem(certificate: x509.Certificate): string {
  const lines = Buffer.from(AsnConvert.serialize(certificate)).toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`;
}

function toName(text: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String: text });
  return new x509.Name([
    new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: COMMON_NAME, value })]),
  ]);
}

const toDnsName = (dNSName: string) => new x509.GeneralName({ dNSName });

const extend = (extnID: string, critical: boolean, value: object) =>
  new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

function toConstraints(names: readonly string[]): x509.NameConstraints {
  const toSubtrees = (bases: x509.GeneralName[]) =>
    new x509.GeneralSubtrees(bases.map((base) => new x509.GeneralSubtree({ base })));
  return new x509.NameConstraints({
    permittedSubtrees: toSubtrees(names.map(toDnsName)),
    // Without a rule for addresses, all of them would be permitted.
    excludedSubtrees: toSubtrees(['0.0.0.0/0', '::/0'].map((iPAddress) => new x509.GeneralName({ iPAddress }))),
  });
}
