// Loaded by `--require`: writes at the end of a process which files of the package it has loaded, as JSON.

const { writeFileSync } = require('node:fs');

process.once('exit', () => {
  if (process.env.LOADED_FILES) writeFileSync(process.env.LOADED_FILES, JSON.stringify(Object.keys(require.cache)));
});
