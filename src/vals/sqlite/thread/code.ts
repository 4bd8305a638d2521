/**
 * Reads the code of the thread, a script: here an import of its module. In tests, `scripts/thread.js` puts all code in its place, and in
 * the bundles what reads it from a file of the package.
 */
export const readCode = (): string => `await import(${JSON.stringify(new URL('./worker.js', import.meta.url).href)})`;
