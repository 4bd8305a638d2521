/** Import this module dynamically: it loads faker. */
export { type GeneratedDataset, generate } from './generate.js';
export { toCollections, trackRuns } from './loading.js';
export { type FixtureFile, writeFixture, writeFixtureFolder } from './write.js';
