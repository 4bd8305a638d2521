// oidc-provider with the settings that the service's documentation names. The service seems to run it.
//
//   node provider.js <port> <resource>

import { createServer } from 'node:http';
import { errors, Provider } from 'oidc-provider';

const [port, resource] = process.argv.slice(2);
const API_SCOPES = ['user_r', 'project_rw', 'blob_rw', 'sqlite_rw', 'email_rw', 'telemetry_r'];
const TOOL = {
  client_id: 'val_town_vt',
  token_endpoint_auth_method: 'none',
  redirect_uris: [],
  response_types: [],
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
};

const provider = new Provider(`http://127.0.0.1:${port}/oauth`, {
  clients: [TOOL],
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
  features: {
    registration: { enabled: true },
    deviceFlow: { enabled: true },
    clientCredentials: { enabled: true },
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo(_context, indicator) {
        if (indicator !== resource) throw new errors.InvalidTarget();
        return { scope: API_SCOPES.join(' '), accessTokenFormat: 'opaque', accessTokenTTL: 86_400 };
      },
    },
  },
  responseTypes: ['code'],
  scopes: ['openid', 'offline_access', 'profile', 'email', ...API_SCOPES],
  pkce: { required: () => true },
});
const handle = provider.callback();
createServer((request, response) => {
  request.originalUrl = request.url;
  request.url = request.url.replace(/^\/oauth/, '') || '/';
  handle(request, response);
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
