import { defineConfig } from 'rolldown';

/** Types for CommonJS have an ending of their own; what they say is what the module in TypeScript says. */
const commonJsTypes = {
  name: 'commonjs-types',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'jest.d.cts', source: "export * from '../testing/jest.js';\n" });
  },
};

export default defineConfig({
  // Jest runs CommonJS in a world of its own that cannot load ES modules, so its helper brings all that it needs.
  input: { jest: 'dist/testing/jest.js' },
  platform: 'node',
  external: ['@jest/globals', 'body-parser', 'json-server'],
  plugins: [commonJsTypes],
  output: {
    dir: 'dist/cjs',
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  },
});
