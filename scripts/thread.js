// The code of the thread of SQLite, in one script.

import { roomImports } from './bundle-plugins.js';
import { build } from './rolldown.js';

/** The script, once the bundles are built. */
export const THREAD = 'dist/thread/worker.cjs';

/** The build of the script, from sources or from build/. */
export const threadBuild = (input) => ({
  input,
  platform: 'node',
  plugins: input.endsWith('.js') ? [roomImports] : [],
  output: {
    dir: 'dist/thread',
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    minify: true,
    comments: false,
  },
});

const filter = { id: /[\\/]sqlite[\\/]thread[\\/]code\.[jt]s$/ };

/** Puts the script into the module that reads it: tests run sources. */
export const threadPlugin = {
  name: 'sqlite-thread',
  /** The script is of several files, so vitest must not keep it by the text of the one that reads it. */
  configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) =>
    defineKey(({ id }) => (filter.id.test(id) ? false : undefined)),
  load: {
    filter,
    async handler(id) {
      const { output } = await build({ ...threadBuild(id.replace(/code(?=\.[jt]s$)/, 'worker')), write: false });
      return { code: `export const readCode = () => ${JSON.stringify(output[0].code)};`, map: { mappings: '' } };
    },
  },
};

/** Reads the script from a file of the package, when the thread starts. */
export const threadFile = {
  name: 'sqlite-thread-file',
  load: {
    filter,
    handler: () =>
      `import { readText } from '#engine/platform/package-files.js';\nexport const readCode = () => readText('${THREAD}');`,
  },
};
