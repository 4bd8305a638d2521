import type { FaultRecord } from '../control/faults.js';

/** A fault as a person would tell of it: `POST /v1/vals answers 503, twice, after the first request`. */
export function describeFault(fault: FaultRecord): string {
  const { route, method, user, times, after, rate, seed } = fault;
  const requests = [
    route ?? (method === null ? 'any request' : `any ${method}`),
    ...(user === null ? [] : [`by ${user}`]),
  ];
  const share = rate === 1 ? [] : [`for ${Number((rate * 100).toFixed(4))} % of the requests (seed ${seed})`];
  return [
    `${requests.join(' ')} ${effectsOf(fault).join(', ')}`,
    ...share,
    ...(times === null ? [] : [times === 1 ? 'once' : `${times} times`]),
    ...(after === 0 ? [] : [`after ${after} ${after === 1 ? 'request' : 'requests'}`]),
  ].join(', ');
}

function effectsOf({ status, headers, body, delay, reset, truncate }: FaultRecord): string[] {
  const held = typeof delay === 'number' ? `${delay} ms` : delay && `${delay[0]} to ${delay[1]} ms`;
  return [
    ...(reset ? ['breaks off'] : []),
    ...(status === null || reset ? [] : [`answers ${status}`]),
    ...(truncate === null ? [] : [`breaks off after ${truncate} bytes`]),
    ...(held === null ? [] : [`waits ${held}`]),
    ...(headers === null ? [] : [`adds ${Object.keys(headers).join(' and ')}`]),
    ...(body === null ? [] : ['has its own body']),
  ];
}
