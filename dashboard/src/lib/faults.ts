import { control } from './api.js';
import { sandboxTime } from './live.js';
import type { FaultRecord } from './types.js';

/** Takes faults back. Returns whether one of them was still armed. */
export const disarm = (armed: readonly FaultRecord[]) => async (): Promise<boolean> => {
  // After a reset the same id stands for another fault.
  const identify = (fault: FaultRecord) => JSON.stringify([fault.id, toFaultOptions(fault)]);
  const left = new Set((await control.listFaults()).map(identify));
  const found = armed.filter((fault) => left.has(identify(fault)));
  await Promise.all(found.map(({ id }) => control.disarmFault({ id })));
  return found.length > 0;
};

/** The options with which a fault was armed: without defaults and counters. */
export function toFaultOptions(fault: FaultRecord): Readonly<Record<string, unknown>> {
  const { route, method, user, match, status, times, after, headers, body, delay, rate, seed, reset, truncate } = fault;
  const isDefaultStatus = status === 500 && (headers === null || Object.keys(headers).length === 0) && body === null;
  return {
    route: route ?? undefined,
    method: route === null ? (method ?? undefined) : undefined,
    user: user ?? undefined,
    match: match ?? undefined,
    status: status === null || (isDefaultStatus && delay === null && truncate === null && !reset) ? undefined : status,
    headers: headers ?? undefined,
    body: body ?? undefined,
    delay: delay ?? undefined,
    truncate: truncate ?? undefined,
    reset: reset ? true : undefined,
    after: after === 0 ? undefined : after,
    times: times ?? undefined,
    rate: rate === 1 ? undefined : rate,
    seed: seed === '0' ? undefined : seed,
  };
}

/** Arms disarmed faults in their order, each for what is left of its requests and its time. */
export async function armAgain(faults: readonly FaultRecord[]): Promise<void> {
  for (const fault of faults) {
    const { remaining, after, seen, until } = fault;
    const time = until === null ? undefined : Date.parse(until) - sandboxTime();
    if (remaining === 0 || (time !== undefined && time <= 0)) continue;
    const left = { ...fault, times: remaining, after: Math.max(0, after - seen) };
    await control.armFault({ ...toFaultOptions(left), for: time });
  }
}
