import { DataError } from '../lib/errors.js';
import { isObject } from '../lib/objects.js';
import type { Instant } from '../lib/time.js';
import { packageVersion } from '../platform/package.js';
import type { CommitInfo } from '../store/commit.js';
import type { StateChanges } from './changes.js';

/** Version of the format of data folders and sessions, raised by a change that an older emulator cannot read. */
export const FORMAT = 4;

export interface SeedInfo {
  /** Name, path, or `generated`. */
  readonly name: string;
  /** Hash of the fixtures or of the options of the generator. */
  readonly fingerprint: string;
  /** The service of its records. Absent in what an earlier version has written */
  readonly service?: string;
  /** When it was loaded; relative times count from then. */
  readonly loadedAt: Instant;
}

export interface SandboxState {
  /** Empty for the default sandbox. */
  readonly sandbox: string;
  /** Id of its last commit; null before the first one. */
  readonly commit: string | null;
}

/** When a sandbox was made, who it is for, and where its first state is from. */
export interface SandboxOrigin {
  readonly createdAt: Instant;
  readonly owner: string | null;
  /** The state that it was forked from. Absent for one that was not forked. */
  readonly forkedFrom?: SandboxState | undefined;
}

/** Bytes of a body. */
export interface StoredBytes {
  readonly base64: string;
}

/** A request of a session and its response. */
export interface RecordedRequest {
  readonly id: string;
  readonly at: Instant;
  readonly duration: number | null;
  /** Absent in what an earlier version has written, as are the delay and the headers of the response. */
  readonly outcome?: 'sent' | 'aborted' | 'reset' | 'truncated' | null;
  readonly delay?: number;
  readonly route: string | null;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly user: string | null;
  /** Whether it had a token, known or not. */
  readonly hasToken: boolean;
  /** In a session: the replacement of its token, if that is not the caller's own. */
  readonly token?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestBody?: string | StoredBytes | undefined;
  readonly status: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string | StoredBytes | undefined;
  readonly fault: string | null;
  readonly commit: string | null;
  /** Absent in what an earlier version has written. */
  readonly message?: string | null;
  readonly reason?: string | null;
  readonly suggestion?: string | null;
  readonly rows?: string;
  readonly error: string | null;
}

/** What a session file has, for the check that it is complete. */
export interface SessionInfo {
  readonly recordedAt: Instant;
  readonly requests: number;
}

/** The first line of an epoch. `version`: of the emulator that wrote it. */
export interface HeaderLine {
  readonly type: 'header';
  readonly format: number;
  readonly version: string;
  /** Absent in a data folder. */
  readonly session?: SessionInfo;
}

/** A line about all sandboxes. */
type FileLine =
  | HeaderLine
  /** A request of a journal. In a session the sandbox is the default one. */
  | { readonly type: 'request'; readonly request: RecordedRequest; readonly sandbox?: string }
  /**
   * The journal of a sandbox has no requests any more. With `isReset`, the ids of requests start again; in a data folder they start
   * again without `requests`, the last number that is taken.
   */
  | { readonly type: 'clear'; readonly sandbox: string; readonly isReset?: boolean; readonly requests?: number }
  /** About a sandbox of a shared store: the last number of the ids of requests, its age and its owner. */
  | ({
      readonly type: 'counts';
      readonly sandbox: string;
      readonly requests: number;
      readonly lastUse: Instant;
    } & SandboxOrigin)
  /** The records of a sandbox have this digest. */
  | { readonly type: 'check'; readonly sandbox: string; readonly digest: string }
  /** All lines above were written at once: none of them may be missing. */
  | { readonly type: 'begin' }
  /** A part of the records of the next line that is not of this type. */
  | { readonly type: 'part'; readonly changes: StateChanges }
  /** Seed data: what turns an empty state into them. `seed` names them in other lines. */
  | { readonly type: 'seed'; readonly seed: string; readonly info: SeedInfo; readonly changes: StateChanges };

/** A line about one sandbox: its name, empty for the default one. */
export type SandboxLine = { readonly sandbox: string } & (
  | /** Begins a sandbox without a history: its state is the seed with these changes. */ {
      readonly type: 'reset';
      readonly seed: string;
      readonly commits: number;
      /** Numbers of the last commits by a request and by control before it. Absent for 0, and in what an earlier version has written */
      readonly requests?: number | undefined;
      readonly updates?: number | undefined;
      readonly changes: StateChanges;
      /** Of a sandbox in a data folder that begins. */
      readonly origin?: SandboxOrigin | undefined;
    }
  | { readonly type: 'commit'; readonly info?: CommitInfo | undefined; readonly changes: StateChanges }
  | { readonly type: 'rewind'; readonly steps: number }
  /** The history loses its oldest commits. */
  | { readonly type: 'forget'; readonly commits: number }
  /** `of` is the id of a commit, or `start` for the state before the oldest one; absent for the current state. */
  | {
      readonly type: 'snapshot';
      readonly name: string;
      readonly at: Instant;
      readonly commits: number;
      readonly of?: string | undefined;
    }
  | { readonly type: 'restore'; readonly name: string }
  | { readonly type: 'drop'; readonly name: string }
  /** A reset goes back to other seed data from now on. */
  | { readonly type: 'reseed'; readonly seed: string }
  | { readonly type: 'close'; readonly reason?: string }
);

export type Line = (FileLine | SandboxLine) & {
  /** Whether it has an effect only together with the next line: a power cut may come between them. */
  readonly more?: boolean;
};

/** Whether a value is a line. Its checksum shows that it is as it was written. */
export const isLine = (value: unknown): value is Line => isObject(value) && typeof value.type === 'string';

const FOLDER_ADVICE = 'Restore a backup of it, or start in another folder.';

/** The error for a file that is not as it was written. */
export const damaged = (path: string, problem: string, advice = FOLDER_ADVICE): DataError =>
  new DataError(`${path} is damaged: ${problem.replace(/\.$/, '')}. ${advice}`);

/** Returns the first line of a file that this emulator writes. */
export const makeHeader = (session?: SessionInfo): HeaderLine => ({
  type: 'header',
  format: FORMAT,
  version: packageVersion(),
  ...(session && { session }),
});

/** Returns the CRC-32 of a content. It loads the module when it is used: most emulators write no lines. */
export const checksumOf = (content: string | Buffer): string =>
  process.getBuiltinModule('node:zlib').crc32(content).toString(16).padStart(8, '0');

/** Stands for the line before the first one of an epoch. */
export const NO_LINE = '00000000';

/**
 * Formats lines: checksum; length of the file that was durable before, epoch and checksum of the line before; JSON. By the
 * length, damage differs from a write that a crash has torn: what comes before it was complete once.
 */
export function* formatLines(jsons: Iterable<string>, durable: number, epoch: number, previous = NO_LINE) {
  let last = previous;
  for (const json of jsons) {
    const content = `${durable}:${epoch}:${last} ${json}`;
    last = checksumOf(content);
    yield `${last} ${content}\n`;
  }
}

/** Undefined for bytes that are not a line. */
export function parseLine(bytes: Buffer) {
  const checksum = bytes.toString('latin1', 0, 8);
  const content = bytes.subarray(9);
  if (bytes[8] !== SPACE || checksumOf(content) !== checksum) return undefined;
  const space = content.indexOf(SPACE);
  const json = content.toString('utf8', space + 1);
  const [durable, epoch, previous] = content.toString('latin1', 0, space).split(':');
  return { checksum, durable: Number(durable), epoch: Number(epoch), previous, json };
}

const SPACE = 0x20;
