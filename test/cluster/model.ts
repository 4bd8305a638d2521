import { isDeepStrictEqual } from 'node:util';
import { type ControlModel, seededModel } from '../model/control.js';
import { ANY, fits } from '../model/emulator.js';
import type { Json, State } from '../model/records.js';
import type { Expected } from '../model/request.js';
import { projectRoutes, projectSeed, seededProject } from './projects.js';

/** A request, as the model reads it. */
export interface Input {
  readonly method: string;
  /** With parameters in place of ids: `GET /v1/vals/{val_id}`. Of the control API without `/_emulator/`: `PUT clock`. */
  readonly route: string;
  /** Path and query, without the prefix of the sandbox. */
  readonly path: string;
  /** Undefined for the control API. */
  readonly user: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a body that the test made
  readonly body: any;
  /** The status of a fault that the request asks for. */
  readonly wanted: number | undefined;
  /** URL of the sandbox, with which links begin. */
  readonly base: string;
  /** Number in the journal, if one was read that has it. It tells the order of requests. */
  readonly number?: number;
}

export interface Output {
  readonly status: number;
  /** Requests that the rate limit leaves. */
  readonly remaining: number | undefined;
  /** Time of the clock in seconds. Undefined for the control API. */
  readonly date: number | undefined;
  readonly body: unknown;
}

/** A sandbox: all fields of the model that change. Values never change in place, so an earlier one is a reference. */
export type Part = Pick<ControlModel, 'state' | 'past' | 'snapshots' | 'journal' | 'requests' | 'updates'> & {
  readonly isOpen: boolean;
};

/** Routes that empty the journal. */
export const CLEARING: ReadonlySet<string> = new Set(['POST reset', 'PUT seed', 'DELETE requests', 'close']);

export const USERS: readonly string[] = ['ada', 'bob', 'cleo'];
export const NOW = '2030-01-01T00:00:00.000Z';
export const LIMIT = 100_000;
const HOUR = 3_600_000;

export const userId = (user: string) => `00000000-0000-4000-8000-00000000000${USERS.indexOf(user)}`;
export const baseId = (user: string) => `00000000-0000-4000-8000-00000000001${USERS.indexOf(user)}`;
const TIME = '2029-12-01T00:00:00.000Z';

const records = {
  users: USERS.map((username) => ({ username, id: userId(username), token: `${username}-token` })),
  vals: USERS.map((author) => ({
    ...{ author, id: baseId(author), name: 'base', code: `// ${author}`, privacy: 'public' },
    ...{ createdAt: TIME, versionCreatedAt: TIME },
  })),
};

/** The seed of every sandbox: three users with one val each, and a project. */
export const seed = { ...records, ...projectSeed };

/** The model of the API, for a check of linearizability: it returns the next state in place of changing its own. */
export class SandboxModel {
  readonly initial: Part;
  readonly #model: ControlModel;
  readonly #ids: readonly string[];

  /** @param ids that the emulator draws, in their order */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
    const config = { auth: 'strict', defaultPrivacy: 'private', specOnly: false, limit: LIMIT } as const;
    this.#model = seededModel(config, Date.parse(NOW), records);
    this.#model.added = projectRoutes(this.#model);
    const limit = { limit: LIMIT, window: HOUR };
    const state = { ...this.#model.state, limit, projects: [seededProject] };
    this.#model.seed = state;
    this.initial = { isOpen: true, state, past: [], snapshots: new Map(), journal: [], requests: 0, updates: 0 };
  }

  /** Returns the next part. Undefined if the response must be another one. */
  step = (part: Part, input: Input, output: Output | undefined): Part | undefined => {
    if (input.number !== undefined && input.number !== part.requests + 1) return undefined;
    const [next, expected] = this.respond(part, input);
    return !output || isExpected(input, expected, output, part.state.now) ? next : undefined;
  };

  /** Whether a request without a response can be the next: it cannot take the number of a request under way. */
  mayHappen = ({ isOpen, requests }: Part, input: Input, others: readonly Input[]): boolean => {
    if (!isOpen || input.user === undefined || input.number !== undefined) return true;
    return others.every(({ number }) => number !== requests + 1);
  };

  /** Whether a request cannot get its number any more, whichever of the others come first. */
  isLate = ({ isOpen, requests }: Part, { number }: Input, others: () => readonly Input[]): boolean => {
    if (number === undefined || (isOpen && number === requests + 1)) return false;
    const before = others();
    // Each of them, the request too, takes one number at most.
    const isReachable = (from: number) => from < number && number <= from + before.length;
    const clears = !isOpen || before.some(({ route }) => CLEARING.has(route));
    return !(isOpen && isReachable(requests)) && !(clears && isReachable(0));
  };

  /** Returns the next part and the response. */
  respond(part: Part, input: Input): [part: Part, expected: Expected] {
    const { route, method, path, body, user, base, wanted } = input;
    if (route === 'open') return [part.isOpen ? part : this.initial, { status: 200, body: ANY }];
    if (!part.isOpen) return [part, { status: 404, body: ANY }];
    if (route === 'close')
      return [
        { ...this.initial, isOpen: false },
        { status: 204, body: ANY },
      ];
    if (route === 'POST fork') return [part, { status: 201, body: ANY }];
    const model = this.#model;
    const { isOpen: _, ...fields } = part;
    Object.assign(model, fields);
    const learn = (): string => {
      const { draws } = model.state;
      model.state = { ...model.state, draws: draws + 1 };
      return this.#ids[draws] ?? `draw ${draws}`;
    };
    const expected =
      user === undefined
        ? model.control({ method: route === 'PUT seed' ? 'POST' : method, path: pathOf(input), body }, learn)
        : model.respond(
            {
              ...{ method, target: path, base, authorization: `Bearer ${user}-token` },
              ...(body !== undefined && { contentType: 'application/json', body: JSON.stringify(body) }),
              ...(wanted !== undefined && { wanted: { id: '', seen: 0, hits: 0, status: wanted } }),
            },
            learn,
          );
    const { state, past, snapshots, journal, requests, updates } = model;
    return [{ isOpen: true, state, past, snapshots, journal, requests, updates }, expected];
  }
}

/** The path of an operation of the model, without a query. The records of a seed are always the same, so it is a reset. */
const pathOf = ({ route, path }: Input): string =>
  route === 'PUT seed' ? 'reset' : path.replace(/^\/_emulator\/|\?.*$/g, '');

function isExpected({ route, user, wanted }: Input, expected: Expected, output: Output, now: number): boolean {
  if (expected.status !== output.status || expected.body === ANY) return expected.status === output.status;
  const remaining = expected.headers?.['x-ratelimit-remaining'];
  if (user !== undefined && output.date !== Math.floor(now / 1_000)) return false;
  if (output.remaining !== (remaining === undefined ? undefined : Number(remaining))) return false;
  if (wanted !== undefined || (user === undefined && expected.status >= 400)) return true;
  const body = expected.body === undefined ? undefined : JSON.parse(JSON.stringify(expected.body));
  const compared = COMPARED[route];
  return compared ? isDeepStrictEqual(compared(body), compared(output.body)) : fits(body, output.body);
}

// biome-ignore lint/suspicious/noExplicitAny: a response, of which the model says what it must be
type Body = any;

/**
 * The part of a response that is compared. Default: the whole. Of commits and of requests it has the last ones: the order of
 * earlier ones would be found to be wrong so late that the search takes too long.
 */
const COMPARED: Readonly<Record<string, (body: Body) => unknown>> = {
  'GET history': (body) => body.slice(-3).map(({ id, request }: Body) => [id, request]),
  'GET requests': (body) => body.slice(-3).map(({ id }: Body) => id),
  'POST rewind': ({ commits }) => commits,
  'GET rate-limit': summarizeLimit,
  'PUT rate-limit': summarizeLimit,
};

function summarizeLimit({ limit, windows }: Body): unknown {
  return [limit, windows.map(({ user, requests }: Body) => `${user}:${requests}`).sort()];
}

const numbers = new WeakMap<object, number>();
const numbersByText = new Map<string, number>();

/** Returns the same number for equal values. */
function numberOf(value: object, format: (value: object) => string = JSON.stringify): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  const text = format(value);
  const number = numbersByText.get(text) ?? numbersByText.size;
  numbersByText.set(text, number);
  numbers.set(value, number);
  return number;
}

/** Returns the same number for equal states. A record has a number of its own, since few of them change. */
const numberOfState = (state: State): number =>
  numberOf(state, () => {
    const { vals, runs, likes, comments, blobs, databases, projects, faults, spent, now, draws, faultCount, limit } =
      state;
    const records: readonly (readonly Json[] | readonly object[])[] = [
      vals,
      runs,
      likes,
      comments,
      blobs,
      databases,
      projects,
      faults,
    ];
    const lists = records.map((list) => list.map((each) => numberOf(each)).join(','));
    return ['state', ...lists, now, draws, faultCount, JSON.stringify([limit, [...spent]])].join(' ');
  });

/** Returns the same text for equal parts only. */
export const keyOf = ({ isOpen, state, past, updates, snapshots, journal, requests }: Part): string =>
  [
    ...[isOpen, numberOfState(state), updates, requests, journal.length],
    ...past.map(({ id, before }) => `${id}:${numberOfState(before)}`),
    ...[...snapshots].map(([name, snapshot]) => `${name}:${numberOfState(snapshot.state)}`),
  ].join(' ');
