import type { Project } from '../collections/projects/records.js';
import type { SeededResponse } from '../collections/projects/response-records.js';
import type { State } from '../collections/state.js';

/** Finds what a file responds when it is run: on its branch, else on each. */
export const findResponse = (
  { responses }: State,
  { id }: Project,
  branch: string,
  file: string,
): SeededResponse | undefined => responses.by.file.get([id, file, branch]) ?? responses.by.file.get([id, file, '']);
