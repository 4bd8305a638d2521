import type { CollectionName, Fixtures } from '../../src/fixtures/schema.js';

/** A fixture that has every collection. */
export type Scenario = Required<Pick<Fixtures, CollectionName>>;
