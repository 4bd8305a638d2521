import type { Route } from '../api/route.js';
import type { Reply } from '../remote/service.js';

/** What a difference says, in the order of a report. */
export const VERDICTS = ['emulator', 'document', 'choice', 'data'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What differs between two responses. */
export type Symptom =
  /** Another status. */
  | 'status'
  /** A header that only one of them has, or another media type. */
  | 'header'
  /** A key that is missing, or too many. */
  | 'key'
  /** A value of another type, or one that the document does not allow. */
  | 'type'
  /** Links to pages that have other parameters, or are on one side only. */
  | 'links'
  /** The same items in another order. */
  | 'order'
  /** Other items in a list. */
  | 'items'
  /** Another message of an error. */
  | 'message'
  /** Another value of the same type. */
  | 'value';

/** One difference between the response of the upstream and that of the emulator. */
export interface Difference {
  readonly symptom: Symptom;
  /** Where: a path in the body such as `$.data[].code`, or the name of a header. */
  readonly at: string;
  /** What each of them has. Undefined for nothing. */
  readonly upstream: unknown;
  readonly emulator: unknown;
  /** Which of them departs from the OpenAPI document. The other value is what the document says then. */
  readonly departs?: 'upstream' | 'emulator';
  /** Of other items: which of them the emulator has but does not list, and the bound of the window that they lie on. */
  readonly items?: { readonly isHidden: boolean; readonly bound: 'since' | 'until' | undefined };
}

/** Two responses to one request. */
export interface Comparison {
  readonly route: Route;
  readonly target: string;
  readonly hasToken: boolean;
  readonly upstream: Reply;
  readonly emulator: Reply;
  /** Whether both sides have the records that the request is about, so that values can be equal. */
  readonly hasSameData: boolean;
  /** Whether the emulator has the record that an id of the upstream stands for. */
  readonly hasId: (id: string) => boolean;
  /** Whether a write has left a record different. */
  readonly isDiverged: (id: string) => boolean;
  /** Times of the emulator from then on are those of this session. */
  readonly startedAt: Date;
}
