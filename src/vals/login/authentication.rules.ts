import type { State } from '#vals/lib/state.collection.js';
import type { Client } from './clients.collection.js';
import { explainUnknown, findClient } from './clients.rules.js';
import { invalidClient, invalidRequest } from './errors.rules.js';
import { assertOnce, type Parameters } from './parameters.rules.js';

interface Credentials {
  readonly id: string;
  readonly secret: string;
}

const MALFORMED = 'invalid authorization header value format';

/** Reads the credentials of a client from its header. Source: RFC 6749, section 2.3.1. @throws LoginError */
function readBasic(authorization: string): Credentials {
  const [, encoded = ''] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (id === undefined || secret === undefined) throw invalidRequest(MALFORMED);
  const decode = (text: string): string => {
    try {
      return decodeURIComponent(text.replaceAll('+', '%20'));
    } catch {
      throw invalidRequest('client_id and client_secret in the authorization header are not properly encoded');
    }
  };
  const read = { id: decode(id), secret: decode(secret) };
  if (read.secret === '') throw invalidRequest('client_secret must be provided in the Authorization header');
  return read;
}

/** Finds the client that has sent a request, and proved it if it has a secret. @throws LoginError 400 or 401 */
export function authenticate(
  state: Pick<State, 'clients'>,
  parameters: Parameters,
  authorization: string | undefined,
): Client {
  assertOnce(parameters, ['client_id', 'client_secret']);
  const sent = parameters.get('client_secret');
  if (sent !== undefined && authorization !== undefined) {
    throw invalidRequest('client authentication must only be provided using one mechanism');
  }
  const basic = authorization === undefined ? undefined : readBasic(authorization);
  const named = parameters.get('client_id');
  if (basic && named !== undefined && basic.id !== named) throw invalidRequest('client_id mismatch');
  const id = named ?? basic?.id;
  if (!id) throw invalidRequest('no client authentication mechanism provided');
  const client = findClient(state, id);
  if (!client) throw invalidClient(explainUnknown(id));
  const secret = sent ?? basic?.secret;
  const known = client.client_secret || undefined;
  if (known === undefined && secret !== undefined) throw invalidClient(`the client ${id} is public, and has no secret`);
  if (known !== undefined && secret === undefined) throw invalidClient(`the client ${id} has to send its secret`);
  if (known !== secret) throw invalidClient(`the client ${id} has another secret`);
  return client;
}
