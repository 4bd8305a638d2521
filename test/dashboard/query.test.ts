import { expect, test } from 'vitest';
import { completeQuery, parseQuery, toggleTerm } from '../../dashboard/src/pages/requests/query.js';
import type { RequestSummary } from '../../src/engine/journal/request-record.js';

const NOW = Date.parse('2024-06-11T22:05:00.000Z');
const summary = (fields: Partial<RequestSummary>): RequestSummary => ({
  ...{ id: 'r1', time: '2024-06-11T22:04:30.000Z', duration: 1, outcome: 'sent', route: 'GET /v1/me', method: 'GET' },
  ...{ path: '/v1/me', user: 'ada', program: 'curl/8.5.0', status: 200, fault: null, commit: null },
  ...{ message: null, suggestion: null, reason: null },
  ...fields,
});
const REQUESTS = [
  summary({ id: 'r1' }),
  summary({ id: 'r2', method: 'POST', route: 'POST /v1/vals', path: '/v1/vals', status: 404, duration: 200 }),
  summary({ id: 'r3', user: null, route: null, path: '/v1/x', status: 401, time: '2024-06-11T22:00:00.000Z' }),
  summary({ id: 'r4', user: 'grace', status: 0, fault: 'f1', program: null, outcome: 'reset' }),
  summary({ id: 'r5', route: 'tool create_file', method: 'POST', path: '/v3/mcp', commit: 'r5', outcome: 'aborted' }),
];
/** The second request has the word in its body. */
const hasText = (id: string, text: string) => id === 'r2' && text === 'hidden word';
const select = (query: string) =>
  REQUESTS.flatMap((request) => (parseQuery(query).matches(request, { now: NOW, hasText }) ? [request.id] : []));

test.each([
  ['', ['r1', 'r2', 'r3', 'r4', 'r5']],
  ['status:4xx', ['r2', 'r3']],
  ['status:404', ['r2']],
  ['status:error', ['r2', 'r3', 'r4']],
  ['status:reset', ['r4']],
  ['-status:2xx user:ada', ['r2']],
  ['user:none', ['r3']],
  ['method:post', ['r2', 'r5']],
  ['path:/v1/v', ['r2']],
  ['route:"GET /v1/me"', ['r1', 'r4']],
  ['route:none', ['r3']],
  ['program:curl', ['r1', 'r2', 'r3', 'r5']],
  ['tool:create_file', ['r5']],
  ['is:write', ['r5']],
  ['is:fault', ['r4']],
  ['is:slow', ['r2']],
  ['is:aborted', ['r5']],
  ['id:r2', ['r2']],
  ['id:r2-r4', ['r2', 'r3', 'r4']],
  ['last:1m', ['r1', 'r2', 'r4', 'r5']],
  ['hidden word', ['r2']],
  ['"hidden word" user:grace', []],
  ['-"hidden word" method:POST', ['r5']],
  ['R3', ['r3']],
  ['grace', ['r4']],
])('%s selects %j', (query, ids) => {
  expect(select(query)).toEqual(ids);
  expect(parseQuery(query).problems).toEqual([]);
});

test.each([
  ['statu:4xx', 'There is no key "statu". Did you mean "status"? Quotes search for a text: "statu:4xx".'],
  ['status:9xx', 'status: found "9xx"; expected 404, 4xx, error or reset.'],
  ['last:soon', 'last: found "soon"; expected 30s, 1m or 2h.'],
  ['is:writ', 'is: found "writ"; expected error, write, fault, slow, aborted.'],
  ['id:17', 'id: found "17"; expected r12, or r12-r40.'],
  ['a -b -c -d', '-d: at most 3 texts.'],
])('%s has a problem, and selects by its other terms', (query, problem) => {
  expect(parseQuery(query).problems).toEqual([problem]);
  expect(select(`${query} id:r1`)).toEqual(query.startsWith('a ') ? [] : ['r1']);
});

test('a term takes the place of that with its key, and goes when it is there', () => {
  expect(toggleTerm('status:4xx a b', 'user:ada')).toBe('status:4xx a b user:ada');
  expect(toggleTerm('user:grace x', 'user:ada')).toBe('x user:ada');
  expect(toggleTerm('x user:ada', 'user:ada')).toBe('x');
  expect(toggleTerm('is:write', 'is:error')).toBe('is:write is:error');
});

test('the last word is completed by keys, then by values', () => {
  const list = (key: string) => (key === 'route' ? ['GET /v1/me', 'POST /v1/vals'] : ['ada', 'grace']);
  expect(completeQuery('x st', list)).toEqual(['x status:']);
  expect(completeQuery('-user:', list)).toEqual(['-user:ada', '-user:grace']);
  expect(completeQuery('x user:G', list)).toEqual(['x user:grace']);
  expect(completeQuery('route:GET', list)).toEqual(['route:"GET /v1/me"']);
});

test.each([
  ['constructor:x', /^There is no key "constructor"\./],
  ['is:constructor', /^is: found "constructor"; expected error, write/],
])('%s is refused: no word of JavaScript is a word of the filter', (query, problem) => {
  expect(parseQuery(query).problems).toEqual([expect.stringMatching(problem)]);
  expect(completeQuery(query, () => [])).toEqual([]);
});

test('the 405 of a client of tools is no error', () => {
  const request = summary({ route: 'GET /v3/mcp', path: '/v3/mcp', status: 405 });
  const isFound = (found: RequestSummary) => parseQuery('is:error').matches(found, { now: NOW, hasText });
  expect([request, { ...request, fault: 'f1' }, { ...request, route: null }].map(isFound)).toEqual([false, true, true]);
});
