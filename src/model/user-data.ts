import type { Instant } from '../lib/time.js';
import { asc, desc, index } from '../store/collection.js';

// The records that users store in addition to vals, and their indexes. Bytes never change in place.

/** Characters of an address, of its name and of a subject; addresses of a field. Source: the service's OpenAPI documents. */
export const LONGEST_ADDRESS = 320;
export const LONGEST_NAME = 256;
export const LONGEST_SUBJECT = 998;
export const MOST_ADDRESSES = 50;

export interface Address {
  readonly email: string;
  readonly name: string | null;
}

export interface Attachment {
  readonly filename: string;
  readonly type: string | null;
  readonly disposition: string | null;
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

/** An email that a user has sent. It is kept, and reaches no one. */
export interface Email {
  readonly id: string;
  /** The user whose token sent it. */
  readonly userId: string;
  /** Null for the address that the service chooses. */
  readonly from: Address | null;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly replyTo: readonly Address[];
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
  readonly createdAt: Instant;
  /** Order of creation: breaks ties between emails of the same instant. */
  readonly serial: number;
}

/** Characters of a key. Source: the service's OpenAPI documents. */
export const LONGEST_KEY = 512;
/** Bytes of a blob. Source: the documentation of the service. */
export const LARGEST_BLOB = 10 * 1_048_576;

/** Bytes that a user has stored under a key. */
export interface StoredBlob {
  readonly userId: string;
  readonly key: string;
  readonly body: Uint8Array;
  /** When it was stored last. */
  readonly createdAt: Instant;
}

export const blobSpec = {
  identity: index<StoredBlob>(
    asc((record) => record.userId),
    asc((record) => record.key),
  ),
  indexes: {},
};

export const emailSpec = {
  identity: index<Email>(asc((record) => record.id)),
  indexes: {
    user: index<Email>(
      asc((record) => record.userId),
      desc((record) => record.createdAt),
      desc((record) => record.serial),
    ),
    /** In the order of sending. */
    serial: index<Email>(asc((record) => record.serial)),
  },
};
