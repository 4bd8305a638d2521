/** Reports the memory of a server after a garbage collection on each message. Loaded by `--import`. */
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
