import { type ApiRequest, control, dashboardUrl, findSent, sandboxUrl, sendToApi } from '../../lib/api.js';
import { navigate, pathOf } from '../../lib/location.js';
import type { RequestRecord } from '../../lib/types.js';
import { toast } from '../../ui/toast.js';
import { toApiRequest } from './copy-as.js';

/** A browser sends no body with these methods. */
const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD'];

export function toSendable(record: RequestRecord): ApiRequest {
  const request = toApiRequest(record);
  return WITHOUT_BODY.includes(request.method) ? { ...request, body: undefined } : request;
}

/** Sends a request again, with the headers that matter, and opens it. */
export async function sendAgain(record: RequestRecord): Promise<void> {
  const response = await sendToApi(toSendable(record));
  const { status, duration } = response;
  const sent = await findSent(response);
  toast(status === 0 ? 'The connection was reset.' : `Responded ${status} after ${Math.round(duration)} ms.`);
  if (sent) navigate(pathOf('requests', sent.id));
}

/** Sends a request again to a fork of a state, and opens the requests of the fork. @param at default: the current state */
export async function sendInFork(record: RequestRecord, at: string | undefined): Promise<void> {
  const { name } = await control.forkSandbox({ at });
  await sendToApi(toSendable(record), sandboxUrl(name));
  window.location.href = `${dashboardUrl(name)}#/requests/r1`;
}
