import { type Clock, machineClock } from './clock.js';
import { type Comments, commentCollection } from './comments.js';
import type { Fault } from './faults.js';
import { chanceFor, uuidFor } from './ids.js';
import { type Likes, likeCollection } from './likes.js';
import { type RateLimit, type Rates, spentCollection } from './rates.js';
import { type Runs, runCollection } from './runs.js';
import { type Users, userCollection } from './users.js';
import { type Privacy, type Vals, valCollection } from './vals.js';
import { type Versions, versionCollection } from './versions.js';

/** How an unknown token is taken: as a mistake (`strict`), or as the first user's (`lenient`). */
export const AUTH_MODES = ['strict', 'lenient'] as const;

/** What is settled when a world is made. */
export interface Settings {
  readonly auth: (typeof AUTH_MODES)[number];
  /** Privacy of a val that is created without one. */
  readonly defaultPrivacy: Privacy;
  /** Another seed gives other ids and invented names. */
  readonly idSeed: string;
  /** Undefined lets every request through. */
  readonly rateLimit?: RateLimit | undefined;
}

/**
 * Everything that can differ between two requests. The collections are immutable and replaced by a write, so a fork is
 * a copy of these few fields, whatever lies behind them, and neither copy sees what is written to the other.
 */
export class State {
  users: Users = NO_USERS;
  vals: Vals = NO_VALS;
  versions: Versions = NO_VERSIONS;
  runs: Runs = NO_RUNS;
  likes: Likes = NO_LIKES;
  comments: Comments = NO_COMMENTS;
  clock: Clock = machineClock;
  /** In the order of arming. */
  faults: readonly Fault[] = [];
  /** How many faults were ever armed. */
  faultCount = 0;
  rates: Rates = NO_RATES;
  /** How often chance was asked. */
  drawn = 0;
  /** How many records were given a place in the order of creation. */
  serials = 0;
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** A copy to write to: of every field there is, so that none can be forgotten. O(1). */
  fork(): State {
    return Object.assign(new State(this.settings), this);
  }

  /** A new id: the same at the same point of the same history. */
  newId(): string {
    for (;;) {
      const id = uuidFor(`${this.settings.idSeed}:${this.drawn++}`);
      if (!(this.users.get(id) ?? this.vals.get(id) ?? this.runs.get(id) ?? this.comments.get(id))) return id;
    }
  }

  /** A number from 0 (inclusive) to 1 (exclusive): the same at the same point of the same history. */
  draw(): number {
    return chanceFor(`${this.settings.idSeed}:${this.drawn++}`);
  }

  /** The next place in the order of creation. */
  newSerial(): number {
    return this.serials++;
  }
}

const NO_USERS = userCollection([]);
const NO_VALS = valCollection([]);
const NO_VERSIONS = versionCollection([]);
const NO_RUNS = runCollection([]);
const NO_LIKES = likeCollection([]);
const NO_COMMENTS = commentCollection([]);
const NO_RATES = spentCollection([]);
