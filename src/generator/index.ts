/** Import this module dynamically: it loads faker. */
export { type GeneratedDataset, generate, toCollections, trackRuns } from './generate.js';
export { writeFixture, writeFixtureFolder } from './write.js';
