import type { Draft, State } from '../state/state.js';

/** The types of a service that users of its sandboxes see. */
export interface SandboxTypes {
  readonly state: State;
  readonly draft: Draft;
  /** The routes as people name them: `POST /v1/vals`. */
  readonly route: string;
  readonly fixtures: object;
  /** Options of the generator. */
  readonly generate: object;
  /** The methods that add records, by the name of one. */
  readonly add: object;
  /** All records in fixture format, by collection. */
  readonly exported: Readonly<Record<string, readonly object[]>>;
  /** The same with keys that may be absent. */
  readonly written: Readonly<Record<string, readonly object[]>>;
  /** The methods of a sandbox that only this service has. */
  readonly members: object;
}
