import type { Fixtures, ValCollectionName } from '../../src/fixtures/schema.js';

/** A fixture that has every collection around vals. */
export type Scenario = Required<Pick<Fixtures, ValCollectionName>>;
