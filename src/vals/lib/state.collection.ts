import type * as engine from '#engine/state/state.js';
import type { Collections, Pages, Privacy, Texts } from '#vals/service/service.collection.js';

/** What the emulator keeps of its options, and new vals get. */
export interface Settings extends engine.Settings {
  readonly defaultPrivacy: Privacy;
  /** Whether profiles have a type. Undefined if not, as in data that are older than the option. */
  readonly userType?: true | undefined;
  /** The user that each login is of, without a page. Undefined for a page */
  readonly login?: string | undefined;
}

/** The state of a sandbox of the vals service. */
export interface State extends engine.State, Collections {
  /** The bytes of the databases. */
  readonly pages: Pages;
  readonly texts: Texts;
  readonly settings: Settings;
}

export type Draft = engine.DraftOf<State>;

const isOfVals = <S extends object>(state: S): state is S & State => 'vals' in state && 'users' in state;

/** @throws TypeError for the state of another service */
export function toValsState(state: engine.Draft): Draft;
export function toValsState(state: engine.State): State;
export function toValsState(state: engine.State): State {
  if (isOfVals(state)) return state;
  throw new TypeError('not a state of the vals service');
}
