import type { Fixtures, ValCollectionName } from '#vals/service/service.collection.js';

/** A fixture that has every collection around vals. */
export type Scenario = Required<Pick<Fixtures, ValCollectionName>>;
