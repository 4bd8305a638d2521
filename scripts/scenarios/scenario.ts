import type { Fixtures, ValCollectionName } from '#vals/collections/index.js';

/** A fixture that has every collection around vals. */
export type Scenario = Required<Pick<Fixtures, ValCollectionName>>;
