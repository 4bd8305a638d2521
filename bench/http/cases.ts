import type { Request } from 'autocannon';
import { type Contender, headers, PAGE } from './contenders.js';

/** What is asked of a server that holds so many records. */
export interface Case {
  readonly name: string;
  readonly requests: (contender: Contender, size: number) => Request[];
}

/** Different records, so that none is asked for more often than others. */
const SPREAD = 1_000;
const spread = (size: number) => Array.from({ length: SPREAD }, (_, i) => Math.floor((i * size) / SPREAD));

const read = (path: string): Request => ({ method: 'GET', path, headers });

/** Numbers that no other val of this run of the bench has in its name. */
const counter = { next: 0 };

const create = ({ paths }: Contender): Request => ({
  method: 'POST',
  path: paths.create,
  headers: { ...headers, 'content-type': 'application/json' },
  setupRequest: (request) => ({
    ...request,
    body: `{"name":"made_${counter.next++}","code":"export const made = ${counter.next};","privacy":"public"}`,
  }),
});

const byId: Case['requests'] = ({ paths }, size) => spread(size).map((n) => read(paths.val(n)));
const page =
  (offset: (size: number) => number): Case['requests'] =>
  ({ paths }, size) => [read(paths.runs(offset(size)))];
const first = page(() => 0);
const deepest = page((size) => size - PAGE);

export const BY_ID = 'a val by id';
export const FIRST_PAGE = 'a page of runs, first';
export const DEEPEST_PAGE = 'a page of runs, deepest';
export const CREATE = 'create a val';

export const cases: readonly Case[] = [
  { name: BY_ID, requests: byId },
  { name: FIRST_PAGE, requests: first },
  { name: DEEPEST_PAGE, requests: deepest },
  { name: CREATE, requests: (contender) => [create(contender)] },
  {
    name: 'a mix, 1 of 5 creates',
    requests: (contender, size) =>
      byId(contender, size).flatMap((request, n) =>
        n % 4 === 3 ? [request, create(contender)] : [n % 4 === 1 ? (first(contender, size)[0] ?? request) : request],
      ),
  },
];

/** What a server is asked for a minute: it reads only, so that it has nothing to grow by. */
export const soak: Case['requests'] = (contender, size) => [
  ...byId(contender, size),
  ...first(contender, size),
  ...deepest(contender, size),
];
