import { type Contender, PAGE } from './contenders.js';
import type { Shot } from './drivers.js';

/** The requests to a server with `size` records. */
export interface Case {
  readonly name: string;
  readonly shots: (contender: Contender, size: number) => Shot[];
}

/** Number of different records in the requests. */
const SPREAD = 1_000;
const spread = (size: number) => Array.from({ length: SPREAD }, (_, i) => Math.floor((i * size) / SPREAD));

const read = (path: string): Shot => ({ method: 'GET', path });

const create = ({ paths }: Contender): Shot => ({
  method: 'POST',
  path: paths.create,
  body: '{"name":"made_{n}","code":"export const made = {n};","privacy":"public"}',
});

const byId: Case['shots'] = ({ paths }, size) => spread(size).map((n) => read(paths.val(n)));
const page =
  (offset: (size: number) => number): Case['shots'] =>
  ({ paths }, size) => [read(paths.runs(offset(size)))];
const first = page(() => 0);
const deepest = page((size) => size - PAGE);

export const BY_ID = 'a val by id';
export const FIRST_PAGE = 'a page of runs, first';
export const DEEPEST_PAGE = 'a page of runs, deepest';
export const CREATE = 'create a val';

export const cases: readonly Case[] = [
  { name: BY_ID, shots: byId },
  { name: FIRST_PAGE, shots: first },
  { name: DEEPEST_PAGE, shots: deepest },
  { name: CREATE, shots: (contender) => [create(contender)] },
  {
    name: 'a mix, 1 of 5 creates',
    shots: (contender, size) =>
      byId(contender, size).flatMap((shot, n) =>
        n % 4 === 3 ? [shot, create(contender)] : [n % 4 === 1 ? (first(contender, size)[0] ?? shot) : shot],
      ),
  },
];

/** The requests of the soak: reads only, so that the data does not grow. */
export const soak: Case['shots'] = (contender, size) => [
  ...byId(contender, size),
  ...first(contender, size),
  ...deepest(contender, size),
];
