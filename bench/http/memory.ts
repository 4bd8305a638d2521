/** Loaded into a server by `--import`: tells, whenever it is asked, how much memory is in use after a collection. */
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
