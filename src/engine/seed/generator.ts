import type { TSchema } from 'typebox';
import type { Problem } from '../lib/errors.js';
import type { Steps } from '../lib/steps.js';
import type { OnProgress, RawCollection } from './read.js';

/** Generates seed data. Its options are valid when they get here. */
export interface Generator {
  /** The options, as JSON Schema. Over HTTP, a dataset is limited to what loads in seconds. */
  readonly schema: TSchema;
  /** @param path of the options in the input */
  validate(options: unknown, path: string): Problem[];
  /** Counts the records, before they are made. */
  count(options: object): number;
  /** Loads the code that generates, which few need. */
  load(): Promise<(options: object, onProgress?: OnProgress) => Steps<RawCollection[]>>;
}
