/**
 * The code of the thread, a script: here an import of its module. In the bundles and in tests, the plugin of `scripts/thread.js` puts
 * the whole code in its place, so that no file has to be found.
 */
export const CODE = `import(${JSON.stringify(new URL('./worker.js', import.meta.url).href)})`;
