// Rolldown, without its report of the time that plugins take.

import * as rolldown from 'rolldown';

const quiet = (options) => ({ checks: { bundlerTimings: false }, ...options });

export const build = (options) => rolldown.build(Array.isArray(options) ? options.map(quiet) : quiet(options));

export const openBundle = (options) => rolldown.rolldown(quiet(options));
