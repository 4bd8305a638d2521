// The code of the thread of SQLite as a string in the modules that start it, so that no file has to be found.

import { build } from 'rolldown';
import { roomImports } from './bundle-plugins.js';

/** Puts all code of `sqlite/thread/worker` in the place of `sqlite/thread/code`, from sources as from build/. */
export const threadPlugin = {
  name: 'sqlite-thread',
  load: {
    filter: { id: /[\\/]sqlite[\\/]thread[\\/]code\.[jt]s$/ },
    async handler(id) {
      const { output } = await build({
        input: id.replace(/code(?=\.[jt]s$)/, 'worker'),
        platform: 'node',
        plugins: id.endsWith('.js') ? [roomImports] : [],
        write: false,
        output: { format: 'cjs', minify: true, comments: false },
      });
      return { code: `export const CODE = ${JSON.stringify(output[0].code)};`, map: { mappings: '' } };
    },
  },
};
