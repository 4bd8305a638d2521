/** Milliseconds of the processor that this process takes for something, which other programs do not change. */
export async function timeOnCpu(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
