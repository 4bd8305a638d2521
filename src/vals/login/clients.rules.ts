import { isObject } from '#engine/lib/objects.js';
import type { Instant } from '#engine/lib/time.js';
import { deleteRecord } from '#engine/state/cascades.js';
import { drawId } from '#engine/state/state.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import { OAUTH_SCOPES } from '#vals/users/scopes.collection.js';
import { type Client, GRANT_TYPES, type GrantType, TOOL } from './clients.collection.js';
import { invalidRequest, LoginError } from './errors.rules.js';
import { makeSecret } from './secrets.rules.js';

/** Clients of a sandbox at most. A registration above it takes the place of the oldest unused one. */
const MAX_CLIENTS = 1_000;

/** Characters of the metadata of a client that are kept. */
export const LONGEST = 2_000;
const MOST_URIS = 100;

/** Source: github.com/val-town/vt, src/oauth.ts. */
const TOOL_CLIENT: Client = {
  client_id: TOOL,
  client_name: 'vt',
  redirect_uris: [],
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  createdAt: 0,
  serial: -1,
};

/** Finds a client: a record, else the command-line tool of the service. */
export const findClient = ({ clients }: Pick<State, 'clients'>, id: string): Client | undefined =>
  clients.get(id) ?? (id === TOOL ? TOOL_CLIENT : undefined);

/** Says why there is no client with an id. */
export const explainUnknown = (id: string): string =>
  /^https:/.test(id)
    ? `${id} is the address of a client ID metadata document, and the emulator fetches nothing: register the client by POST /oauth/reg, or define it in fixtures`
    : `there is no client ${id}: POST /oauth/reg registers one, and the key clients of fixtures defines one`;

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d+)?(?=[/?]|$)/;

/** Whether a login of a client may lead to an address: one that it has, or of this machine with any port. Source: RFC 8252, section 7.3. */
export function isRedirectAllowed({ redirect_uris }: Client, uri: string): boolean {
  const withoutPort = (each: string) => each.replace(LOOPBACK, '$1');
  if (!URL.canParse(uri)) return false;
  return (
    redirect_uris.includes(uri) ||
    (LOOPBACK.test(uri) && redirect_uris.some((each) => withoutPort(each) === withoutPort(uri)))
  );
}

/** Schemes that lead to no program. Source: oidc-provider. */
const FORBIDDEN = /^(?:javascript|vbscript|data|blob|file|about):$/;

const invalidMetadata = (description: string): LoginError =>
  new LoginError(
    description.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    description,
  );

function assertRedirect(uri: string, isNative: boolean): void {
  const parsed = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!parsed || uri.length > LONGEST || /\s/.test(uri)) {
    throw invalidMetadata('redirect_uris must only contain valid uris');
  }
  const { protocol, hostname, href } = parsed;
  if (href.includes('#')) throw invalidMetadata('redirect_uris must not contain fragments');
  if (hostname.includes('*')) throw invalidMetadata('redirect_uris must only contain valid uris');
  if (!isNative && !/^https?:$/.test(protocol)) throw invalidMetadata('redirect_uris must only contain web uris');
  const isLoopback = LOOPBACK.test(href.replace(/^https:/, 'http:'));
  if (isNative && protocol === 'http:' && !isLoopback) {
    throw invalidMetadata(
      'redirect_uris for native clients using http as a protocol can only use loopback addresses as hostnames',
    );
  }
  if (isNative && protocol === 'https:' && isLoopback) {
    throw invalidMetadata(
      `redirect_uris for native clients using claimed HTTPS URIs must not be using ${hostname} as hostname`,
    );
  }
  if (FORBIDDEN.test(protocol)) {
    throw invalidMetadata(`redirect_uris must not use the ${protocol.slice(0, -1)} URI scheme`);
  }
}

/** Reads a list of texts. */
function readTexts(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw invalidMetadata(`${name} must be an array`);
  return value.map((each: unknown) => {
    if (typeof each !== 'string' || each === '') throw invalidMetadata(`${name} must only contain strings`);
    return each;
  });
}

const isGrantType = (text: string): text is GrantType => GRANT_TYPES.some((each) => each === text);

const isWeb = (uri: string): boolean => URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol);

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

/** Registers a client, and returns its metadata. Source: RFC 7591. @throws LoginError for wrong metadata */
export function registerClient(draft: Draft, metadata: unknown, now: Instant): object {
  if (!isObject(metadata)) throw invalidRequest('client registration request must be a JSON object');
  const {
    application_type: type = 'web',
    token_endpoint_auth_method: method = 'client_secret_basic',
    client_name: name,
    client_uri,
    logo_uri,
    scope,
    grant_types = ['authorization_code'],
    response_types = ['code'],
  } = metadata;
  const grantTypes = readTexts('grant_types', grant_types);
  const responseTypes = readTexts('response_types', response_types);
  if (responseTypes.length > 0 && metadata.redirect_uris === undefined) {
    throw invalidMetadata('redirect_uris is mandatory property');
  }
  const uris = readTexts('redirect_uris', metadata.redirect_uris ?? []);
  if (responseTypes.length > 0 && uris.length === 0) throw invalidMetadata('redirect_uris must contain members');
  if (uris.length > MOST_URIS) throw invalidMetadata(`redirect_uris must contain at most ${MOST_URIS} members`);
  if (type !== 'web' && type !== 'native') throw invalidMetadata("application_type must be 'native' or 'web'");
  const types = grantTypes.filter(isGrantType);
  if (types.length < grantTypes.length) {
    const allowed = GRANT_TYPES.map((each) => `'${each}'`);
    throw invalidMetadata(`grant_types can only contain ${allowed.slice(0, -1).join(', ')}, or ${allowed.at(-1)}`);
  }
  if (responseTypes.some((each) => each !== 'code')) throw invalidMetadata("response_types can only contain 'code'");
  if (typeof method !== 'string' || !METHODS.includes(method)) {
    throw invalidMetadata("token_endpoint_auth_method must be 'none', 'client_secret_basic', or 'client_secret_post'");
  }
  for (const [key, value] of Object.entries({ client_name: name, client_uri, logo_uri, scope })) {
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '' || value.length > LONGEST) {
      throw invalidMetadata(`${key} must be a non-empty string if provided`);
    }
    if (key.endsWith('_uri') && !isWeb(value)) throw invalidMetadata(`${key} must be a web uri`);
    if (key === 'scope' && value.split(' ').some((each) => !OAUTH_SCOPES.some((known) => known === each))) {
      throw invalidMetadata('scope must only contain Authorization Server supported scope values');
    }
  }
  for (const uri of uris) assertRedirect(uri, type === 'native');
  const id = makeSecret(drawId(draft), 'client');
  const secret = method === 'none' ? {} : { client_secret: makeSecret(drawId(draft), 'secret') };
  putClient(draft, {
    client_id: id,
    ...secret,
    ...(typeof name === 'string' && { client_name: name }),
    redirect_uris: uris,
    grant_types: types,
    createdAt: now,
    serial: draft.nextSerial++,
  });
  return {
    application_type: type,
    client_id: id,
    client_id_issued_at: Math.floor(now / 1_000),
    ...secret,
    ...(method !== 'none' && { client_secret_expires_at: 0 }),
    ...(name !== undefined && { client_name: name }),
    ...(client_uri !== undefined && { client_uri }),
    ...(logo_uri !== undefined && { logo_uri }),
    ...(scope !== undefined && { scope }),
    grant_types: types,
    redirect_uris: uris,
    response_types: responseTypes,
    token_endpoint_auth_method: method,
  };
}

function putClient(draft: Draft, client: Client): void {
  if (draft.clients.size >= MAX_CLIENTS) {
    const isUnused = ({ client_id }: Client) => draft.grants.by.client.range([client_id]).length === 0;
    const { serial } = draft.clients.by;
    const gone = [...serial.range()].find(isUnused) ?? serial.range().first;
    if (gone) deleteRecord(draft, 'clients', gone);
  }
  draft.clients = draft.clients.put(client);
}
