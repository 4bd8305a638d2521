import ValTown from '@valtown/sdk';

/** The status of a trace that ended with an error, as in OpenTelemetry. */
const ERROR = 2;

/**
 * Lists the runs since a time that failed, the latest first, each with what it logged.
 * @param {Date} since
 */
export async function listFailures(since) {
  const { traces, logs } = new ValTown().telemetry;
  const page = await traces.list({ direction: 'desc', limit: 100, start: since.toISOString() });
  const failed = page.data.filter(({ status }) => status.code === ERROR);
  if (failed.length === 0) return [];
  const ids = failed.map(({ traceId }) => traceId);
  const lines = (await logs.list({ direction: 'asc', limit: 100, trace_ids: ids })).data;
  return failed.map(({ traceId, name, status }) => ({
    name,
    message: status.message,
    logs: lines.filter((line) => line.traceId === traceId).map(({ body }) => body.stringValue),
  }));
}
