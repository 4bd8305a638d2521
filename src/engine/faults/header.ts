import { formatValue } from '../lib/messages.js';
import { parseMilliseconds } from '../lib/time.js';
import { badRequest } from '../state/errors.js';
import { isDelay } from './bounds.js';
import type { InjectedFault } from './faults.js';

/** The header by which a request to the API asks for a fault; also the id of that fault in the journal. */
export const FAULT_HEADER = 'x-emulator-fault';

const EXPECTED_HEADER = 'a status from 400 to 599, or reset; also delay=2s, alone or after a comma';

/** Parses the header `X-Emulator-Fault`: `503`, `reset`, `delay=2s` or `503, delay=2s`. @throws ApiError 400 */
export function parseFaultHeader(text: string): InjectedFault {
  let status: number | null = null;
  let reset = false;
  let delay: number | undefined;
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, time] = /^delay=(.*)$/.exec(part) ?? [];
    const hasEffect = status !== null || reset;
    if (time !== undefined && delay === undefined) delay = parseDelay(time) ?? refuseHeader(text);
    else if (/^[45]\d\d$/.test(part) && !hasEffect) status = Number(part);
    else if (part === 'reset' && !hasEffect) reset = true;
    else refuseHeader(text);
  }
  return { id: FAULT_HEADER, status, headers: null, delay: delay ?? 0, reset, truncate: null };
}

/** Parses a duration such as `2s`, or milliseconds. */
function parseDelay(text: string): number | undefined {
  const delay = parseMilliseconds(text);
  return delay !== undefined && isDelay(delay) ? delay : undefined;
}

function refuseHeader(text: string): never {
  throw badRequest(`Invalid ${FAULT_HEADER} ${formatValue(text)}: expected ${EXPECTED_HEADER}`);
}
