import type { Instant } from '../lib/time.js';
import { asc, desc, index } from '../store/collection.js';

// The records that users store in addition to vals, and their indexes. Bytes never change in place.

/** Characters of an address and of its name; addresses of a field. Source: the service's OpenAPI document of June 2026. */
export const LONGEST_ADDRESS = 320;
export const LONGEST_NAME = 256;
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

/** Bytes of a database. Source: chosen; the service gives 1 GB to accounts of the tier pro. */
export const LARGEST_DATABASE = 10 * 1_048_576;
/** Bytes of a database in one record. A change of a row replaces one or two of them. */
export const PAGE_BYTES = 4_096;

/** The SQLite database of a user. Its bytes are in its pages. */
export interface StoredDatabase {
  readonly userId: string;
  /** Bytes */
  readonly size: number;
  readonly updatedAt: Instant;
}

/** A part of a database. Each has as many bytes as the others, but for the last one. */
export interface Page {
  readonly userId: string;
  /** From 0. */
  readonly number: number;
  readonly body: Uint8Array;
}

export const databaseSpec = { identity: index<StoredDatabase>(asc((record) => record.userId)), indexes: {} };

export const pageSpec = {
  identity: index<Page>(
    asc((record) => record.userId),
    asc((record) => record.number),
  ),
  indexes: {},
};

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
