import type { Datasets } from '#engine/definition/definitions.js';
import { readFolder } from '#engine/platform/package-files.js';

/** The datasets in this package, whose tests validate them. */
export const datasets: Datasets = {
  names: ['busy', 'default', 'edge-cases', 'empty', 'failures', 'popular'],
  isTrusted: true,
  read: (name) =>
    Object.fromEntries(
      Object.entries(readFolder(`fixtures/${name}`)).map(([file, text]) => [
        file.slice(0, -'.json'.length),
        JSON.parse(text),
      ]),
    ),
};
