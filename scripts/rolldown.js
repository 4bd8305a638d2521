// Rolldown, without its report of the time that plugins take.

import * as rolldown from 'rolldown';

/** Without the names of modules as comments, 10 kB of each import. */
const quiet = (options) => ({
  checks: { bundlerTimings: false },
  experimental: { attachDebugInfo: 'none' },
  ...options,
});

export const build = (options) => rolldown.build(Array.isArray(options) ? options.map(quiet) : quiet(options));

export const openBundle = (options) => rolldown.rolldown(quiet(options));
