import { isObject } from '#engine/lib/objects.js';
import { routes } from '#vals/service/all.routes.js';
import {
  affected,
  allowHeaders,
  asText,
  type Change,
  countRows,
  inBody,
  inBytes,
  inHeaders,
  inItems,
  inLinks,
  inResults,
  inSizes,
  isSuccess,
  link,
  listing,
  mapObjects,
  type PlantClass,
  requestedMethod,
  swap,
  url,
  withStatus,
} from './plant-changes.js';
import { QUERY_CLASSES } from './plant-queries.js';
import { SERVICE_CLASSES } from './plant-services.js';
import type { Plant } from './plants.js';

// Differences of the classes that a judge once missed. A rule of the judge notices each of them, on each operation of the class.

const select = (isPart: (route: (typeof routes)[number]) => boolean): string[] =>
  routes.filter(isPart).map(({ name }) => name);
const schemaHas = (key: string) => select(({ response }) => JSON.stringify(response).includes(`"${key}"`));
const ALL = select(() => true);
const WITH_GET = select(({ path }) => ALL.includes(`GET ${path}`));
/** Few accounts are in an organization. */
const LISTS = schemaHas('next').filter((name) => name !== 'GET /v2/orgs');
const WITH_VALS = schemaHas('module').filter((name) => name.includes(' /v1/'));
const WITH_ENDPOINTS = WITH_VALS.filter((name) => /(?:search|\})\/vals$/.test(name));
const WITH_USERS = ['GET /v1/me', 'GET /v1/users/{user_id}', 'GET /v1/alias/{username}'];
const SQL = select(({ path }) => path.startsWith('/v1/sqlite/'));
const BLOB = ['GET /v1/blob/{key}', 'GET /v2/blob/{key}'];
const BLOBS = ['GET /v1/blob', 'GET /v2/blob'];
const VAL = 'https://val.town/v/';
const USER = 'https://val.town/u/';

/** Whether the schema of a response has records with each of these keys. */
const isOf = (response: unknown, ...keys: readonly string[]): boolean =>
  keys.every((key) => JSON.stringify(response).includes(`"${key}"`));
/** Changes each project, which has an image. */
const inProjects = (change: (record: Readonly<Record<string, unknown>>) => object): Change =>
  inBody((body) => mapObjects(body, (record) => ('imageUrl' in record ? { ...change(record) } : record)));
const later = (time: unknown): string => new Date(Date.parse(String(time)) + 86_400_000).toISOString();

const types = (...values: readonly string[]): Readonly<Record<string, Change>> =>
  Object.fromEntries(values.map((type) => [`the media type ${type}`, inHeaders({ 'content-type': type })]));

const CLASSES: Readonly<Record<string, PlantClass>> = {
  'addresses of vals': {
    on: WITH_VALS,
    isEverywhere: true,
    changes: {
      'the page of a val by its id': url(VAL, (_, { id }) => `${VAL}${id}`),
      'the page of a val on www': url(VAL, (text) => text.replace('//', '//www.')),
      'the page of a val without https': url(VAL, (text) => text.replace('https', 'http')),
      'the page of a val with an @': url(VAL, (text) => text.replace('/v/', '/v/@')),
      'the page of a val by /x/': url(VAL, (text) => text.replace('/v/', '/x/')),
      'the page of a val with a query': url(VAL, (text) => `${text}?v=1`),
      'a module without its version': link('module', (text) => text.replace(/\?.*/, '')),
      'a module of another version': link('module', (text) =>
        text.replace(/\d+$/, (digits) => `${Number(digits) + 1}`),
      ),
      'a module of version 0': link('module', (text) => `${text.replace(/=.*/, '=')}00`),
      'a module with the name of another parameter': link('module', (text) => text.replace('?v=', '?version=')),
      'a module of another host': link('module', (text) => text.replace('esm.town', 'esm.val.town')),
      'versions at the val': inLinks('versions', ({ self }) => ({ versions: self })),
      'versions with a slash at the end': link('versions', (text) => `${text}/`),
      'the val itself by its name': link('self', (text, { name }) => text.replace(/[^/]*$/, String(name))),
      'the val itself at its versions': inLinks('versions', ({ versions }) => ({ self: versions })),
      'an endpoint of each val': inLinks('module', ({ endpoint }) => ({
        endpoint: `${endpoint ?? 'https://a.web.val.run'}/`,
      })),
    },
  },
  'endpoints of vals': {
    on: WITH_ENDPOINTS,
    isEverywhere: true,
    changes: {
      'an endpoint that is not in lower case': link('endpoint', (text, { name }) =>
        text.replace(String(name).toLowerCase(), String(name)),
      ),
      'an endpoint of express': link('endpoint', (text) => text.replace('web.', 'express.')),
      'no endpoint': inLinks('endpoint', () => ({ endpoint: undefined })),
      'an endpoint without the author': link('endpoint', (text) => text.replace(/\/\/[^-]*-/, '//')),
    },
  },
  'addresses of users': {
    on: WITH_USERS,
    isEverywhere: true,
    changes: {
      'the page of a user by the id': url(USER, (_, { id }) => `${USER}${id}`),
      'the page of a user with an @': url(USER, (text) => text.replace('/u/', '/u/@')),
      'the page of a user without /u/': url(USER, (text) => text.replace('/u/', '/')),
      'the page of a user on www': url(USER, (text) => text.replace('//', '//www.')),
      'the user itself at another host': link('self', () => 'https://api.val.town/v1/users/1'),
      'the user itself by the name': link('self', (text, { username }) => text.replace(/[^/]*$/, String(username))),
    },
  },
  'addresses of projects': {
    on: select(({ response }) => isOf(response, 'imageUrl', 'author')),
    isEverywhere: true,
    changes: {
      'the project itself at /v1': inLinks('html', ({ self }) => ({ self: self?.replace('/v2/', '/v1/') })),
      'a page of another host': link('html', (text) => text.replace('www.val.town', 'example.com')),
      'a page without its name': link('html', (text) => text.replace(/[^/]*$/, '')),
    },
  },
  'addresses of branches': {
    on: select(({ response }) => isOf(response, 'forkedBranchId')),
    isEverywhere: true,
    changes: {
      'a page of the project': link('html', (text) => text.replace(/\/branch\/.*/, '')),
      'a branch of no project': inLinks('html', ({ self }) => ({ self: self?.replace(/vals\/[^/]*/, 'vals') })),
    },
  },
  'addresses of files': {
    on: select(({ response }) => isOf(response, 'endpoint', 'html')),
    isEverywhere: true,
    changes: {
      'a page without its path': inLinks('module', ({ html }) => ({ html: html?.replace(/code\/.*/, 'code') })),
      'a module of another host': link('module', (text) => text.replace('esm.town', 'esm.example.com')),
      'a module without its version': link('module', (text) => text.replace(/@\d+-main/, '')),
      'a module of an earlier version': link('module', (text) => text.replace(/@\d+/, '@0')),
      'a module of a later version': link('module', (text) =>
        text.replace(/@(\d+)/, (_, digits) => `@${Number(digits) + 1}`),
      ),
      'the file itself at /v1': inLinks('module', ({ self }) => ({ self: self?.replace('/v2/', '/v1/') })),
      'an endpoint of another host': link('endpoint', (text) => text.replace('val.run', 'example.com')),
      'an address of another host': link('email', (text) => text.replace('valtown.email', 'example.com')),
    },
  },
  'times of /v2': {
    on: ['GET /v2/vals/{val_id}/branches/{branch_id}'],
    isEverywhere: true,
    changes: {
      'a branch that was never updated': inBody((body) =>
        mapObjects(body, (record) =>
          'forkedBranchId' in record ? { ...record, updatedAt: record.createdAt } : record,
        ),
      ),
    },
  },
  'times and owners of projects': {
    on: ['GET /v2/vals/{val_id}'],
    isEverywhere: true,
    changes: {
      'authors that are organizations': inBody((body) =>
        mapObjects(body, (record) => (record.type === 'user' ? { ...record, type: 'org' } : record)),
      ),
      'a creation in a day': inProjects((record) => ({ ...record, createdAt: later(record.createdAt) })),
    },
  },
  'a full last page': {
    on: LISTS.filter((name) => !/\/v[12]\/vals$|\/telemetry\/|search|\/v2\/blob/.test(name)),
    changes: {
      'a next page of nothing': inBody((body, { url: { href, searchParams } }) =>
        isObject(body) && Array.isArray(body.data) && String(body.data.length) === searchParams.get('limit')
          ? { ...body, links: { next: href, ...(isObject(body.links) ? body.links : {}) } }
          : body,
      ),
    },
  },
  'addresses of pages': {
    on: LISTS,
    changes: {
      'a page at another version of the API': link('self', (text) => text.replace(/\/v\d\//, '/v3/')),
      'a next page at another path': link('next', (text) => text.replace('?', '/next?')),
      'a page with a slash at the end of its path': link('self', (text) => text.replace('?', '/?')),
    },
  },
  'addresses of previous pages': {
    // A page by time has none.
    on: LISTS.filter((name) => !/\/v[12]\/vals$|\/telemetry\//.test(name)),
    changes: { 'at another path': link('prev', (text) => text.replace('?', '/prev?')) },
  },
  HEAD: {
    on: WITH_GET,
    method: 'HEAD',
    changes: {
      ...Object.fromEntries([400, 401, 404, 405, 501, 204].map((status) => [`a ${status}`, withStatus(status)])),
      'a body': (reply) => ({ ...reply, body: { a: 1 } }),
      'no media type': inHeaders({ 'content-type': undefined }),
      'the media type of text': inHeaders({ 'content-type': 'text/plain; charset=utf-8' }),
      'a length of 0': inHeaders({ 'content-length': '0' }),
      'no origin': inHeaders({ 'access-control-allow-origin': undefined }),
      'another origin': inHeaders({ 'access-control-allow-origin': 'https://val.town' }),
    },
  },
  preflights: {
    on: ALL,
    method: 'OPTIONS',
    changes: {
      ...Object.fromEntries([401, 403, 404, 405].map((status) => [`a ${status}`, withStatus(status)])),
      'all methods but the requested one': (reply, request) =>
        inHeaders({
          'access-control-allow-methods': ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
            .filter((method) => method !== requestedMethod(request))
            .join(','),
        })(reply, request),
      'no methods': inHeaders({ 'access-control-allow-methods': undefined }),
      'no headers': allowHeaders(() => undefined),
      'headers of a list of its own': allowHeaders(() => 'Authorization, Content-Type'),
      'no authorization': allowHeaders((text) => text.replace('authorization,', '')),
      'no media type': allowHeaders((text) => text.replace('content-type', 'accept')),
      'any header, which leaves out the token': allowHeaders(() => '*'),
      'no origin': inHeaders({ 'access-control-allow-origin': undefined }),
      'the origin null': inHeaders({ 'access-control-allow-origin': 'null' }),
    },
  },
  'bytes of blobs': {
    on: BLOB,
    changes: {
      'bytes as UTF-8': asText((text) => text),
      'bytes as Latin-1': inBytes((bytes) => Buffer.from(bytes.toString('latin1'))),
      'bytes as base64': inBytes((bytes) => bytes.toString('base64')),
      'LF for CRLF': inBytes((bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
      'no byte order mark': inBytes((bytes) =>
        Buffer.from(bytes.toString('latin1').replace('\u00ef\u00bb\u00bf', ''), 'latin1'),
      ),
      'no NUL': inBytes((bytes) => bytes.filter((byte) => byte !== 0)),
      'no spaces at the end': inBytes((bytes) => Buffer.from(bytes.toString('latin1').trimEnd(), 'latin1')),
      'JSON without spaces': asText((text) => (/^[[{]/.test(text) ? JSON.stringify(JSON.parse(text)) : text)),
      'a line break at the end': inBytes((bytes) => Buffer.concat([bytes, Buffer.from('\n')])),
      'an empty blob as a 404': (reply) => (reply.body === undefined ? { ...reply, status: 404 } : reply),
      'an empty blob as null': inBytes((bytes) => (bytes.length === 0 ? 'null' : bytes)),
      ...types(
        'text/plain',
        'text/plain; charset=utf-8',
        'image/png',
        'application/json; charset=utf-8',
        'application/octet-stream; charset=utf-8',
      ),
      'no media type': inHeaders({ 'content-type': undefined }),
    },
  },
  'lists of blobs': {
    on: BLOBS,
    changes: {
      'a prefix that is ignored': listing(() => true),
      'a prefix in any case': listing((key, prefix) => key.toLowerCase().startsWith(prefix.toLowerCase())),
      'a prefix that is the whole key': listing((key, prefix) => key === prefix),
      'a prefix without its last character': listing((key, prefix) => key.startsWith(prefix.slice(0, -1))),
      'a prefix at the end': listing((key, prefix) => key.endsWith(prefix)),
      'only longer keys than the prefix': listing((key, prefix) => key.startsWith(prefix) && key !== prefix),
      'an empty blob of one byte': inSizes((size) => Math.max(size, 1)),
      'sizes in kilobytes': inSizes((size) => Math.ceil(size / 1024)),
      'no empty blobs': inBody((body) => (Array.isArray(body) ? body.filter(({ size }) => size > 0) : body)),
      'sizes of base64': inSizes((size) => Math.ceil(size / 3) * 4),
    },
  },
  'affected rows': {
    on: SQL,
    changes: {
      'as many as are selected': affected(/^SELECT/, (_, result) => countRows(result)),
      'one for a SELECT': affected(/^SELECT/, () => 1),
      'one for a CREATE': affected(/^CREATE/, () => 1),
      none: affected(/^/, () => 0),
      null: affected(/^/, () => null),
      'a text': affected(/^/, String),
      'one for each INSERT': affected(/^INSERT/, () => 1),
      'two for an upsert': affected(/ON CONFLICT DO UPDATE/, () => 2),
      'none for an INSERT that returns': affected(/RETURNING/, () => 0),
      'none for an UPDATE to equal values': affected(/= 'a' WHERE/, () => 0),
      'one for an UPDATE of none': affected(/id = 9$/, () => 1),
      'none for a DELETE of all rows': affected(/^DELETE FROM \S+$/, () => 0),
      'ignored rows too': affected(/OR IGNORE/, (rows) => rows + 1),
      'one more': affected(/^/, (rows) => rows + 1),
      'columns of the same name as one': inResults((result) => {
        const { columns } = result;
        return { ...result, columns: Array.isArray(columns) ? [...new Set(columns)] : columns };
      }),
    },
  },
  sequences: {
    on: LISTS,
    changes: {
      'the first item twice': inItems((items) => [...items.slice(0, 1), ...items]),
      'the last item twice': inItems((items) => [...items, ...items.slice(-1)]),
      'the first item again at the end': inItems((items) => [...items, ...items.slice(0, 1)]),
      'all items twice': inItems((items) => [...items, ...items]),
      'each item twice': inItems((items) => items.flatMap((item) => [item, item])),
      'the second item in place of the first': inItems((items) =>
        items.map((item, i) => (i === 0 ? (items[1] ?? item) : item)),
      ),
      'the first two in reverse order': inItems((items) => swap(items, 0)),
      'in reverse order': inItems((items) => items.toReversed()),
      'the first item at the end': inItems((items) => [...items.slice(1), ...items.slice(0, 1)]),
      'without the first item': inItems((items) => items.slice(1)),
      'without the second item': inItems((items) => items.filter((_, i) => i !== 1)),
      'null between items': inItems((items) => [...items.slice(0, 1), null, ...items.slice(1)]),
      'an item in a list': inItems((items) => [items]),
      'items without a page': inBody((body) => (isObject(body) ? body.data : body)),
    },
  },
  'media types': {
    on: ALL.filter((name) => !BLOB.includes(name) && !/^(?:DELETE|PUT \S+\{)/.test(name)),
    changes: {
      ...types(
        ...[
          'application/json',
          'text/json; charset=utf-8',
          'text/plain; charset=utf-8',
          'application/json; charset=latin1',
        ],
        ...['application/json; charset=utf-16', 'application/json; charset=utf8', 'application/json; profile=v1'],
        ...['application/json; charset=utf-8; profile=v1', 'application/problem+json; charset=utf-8'],
        ...['application/vnd.api+json; charset=utf-8', 'text/html; charset=utf-8', 'charset=utf-8'],
      ),
      'no media type': inHeaders({ 'content-type': undefined }),
    },
  },
  'created vals': {
    on: ['POST /v1/vals', 'POST /v1/vals/{val_id}/versions'],
    changes: { 'the address in Location': inHeaders({ location: 'https://api.val.town/v1/vals/1' }) },
  },
  'versions of runs': {
    on: ['GET /v1/me/runs', 'GET /v1/vals/{val_id}/runs'],
    isEverywhere: true,
    changes: {
      'a later version than the val has': inBody((body) =>
        mapObjects(body, (each) =>
          'author_id' in each && 'version' in each ? { ...each, version: Number(each.version) + 1 } : each,
        ),
      ),
    },
  },
  'accepted emails': {
    on: ['POST /v1/email'],
    changes: {
      'a 200': (reply) => (isSuccess(reply) ? { ...reply, status: 200 } : reply),
      'another message': inBody(() => ({ message: 'Email queued' })),
    },
  },
  ...SERVICE_CLASSES,
  ...QUERY_CLASSES,
};

/** Each difference of each class, as it is on each of its operations. */
export const CLASS_PLANTS: readonly (readonly Plant[])[] = Object.entries(CLASSES).flatMap(
  ([name, { on, changes, ...others }]) =>
    Object.entries(changes).map(([what, toReply]) =>
      on.map((route): Plant => ({ ...others, id: `${name}: ${what}, ${route}`, route, toReply })),
    ),
);
