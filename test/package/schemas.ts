import { requireFrom } from '../../scripts/install.js';

/** The folder with packages that have the schemas of CycloneDX and Kubernetes. */
export const SCHEMAS = 'test/package/schemas';

/** Loads and finds packages of that folder. */
export const ofSchemas = requireFrom(SCHEMAS);
