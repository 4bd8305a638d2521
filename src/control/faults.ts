import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';
import { json } from '../contract/fields.js';
import type { Route } from '../contract/route.js';
import { type Fault, remainingOf } from '../domain/faults.js';
import type { State } from '../domain/state.js';
import { authorOf } from '../domain/users.js';
import { userRef } from '../fixtures/export.js';
import { findUserByRef } from '../fixtures/find.js';
import { explain, type Problem, show } from '../fixtures/problems.js';
import { problemsOfTarget } from './target.js';
import { UnknownNameError } from './unknown-name.js';

const Milliseconds = z.number().min(0).max(600_000);

/** How a failure is asked for. */
export const FaultBody = z.strictObject({
  route: z.string().optional().describe('As in `POST /v1/vals`. Default: any'),
  method: z.string().toUpperCase().optional().describe('Default: any'),
  user: z.string().optional().describe('Username or id of the caller. Default: any'),
  status: z
    .int()
    .min(200)
    .max(599)
    .optional()
    .describe('Default: 500, or the true answer if delay or truncate is given'),
  times: z.int().min(1).optional().describe('How many requests to strike. Default: all'),
  after: z.int().min(0).default(0).describe('How many matching requests to let through first'),
  headers: z
    .record(z.string(), z.union([z.string(), z.number()], { error: 'a string or a number' }).transform(String))
    .optional(),
  body: json.optional().describe("Default: the API's own error body"),
  delay: z
    .union([Milliseconds, z.tuple([Milliseconds, Milliseconds])], {
      error: 'milliseconds from 0 to 600000, or [least, most]',
    })
    .optional()
    .describe('Milliseconds to hold the answer back, or the least and the most'),
  rate: z.number().min(0).max(1).default(1).describe('Share of the matching requests to strike'),
  seed: z
    .union([z.int(), z.string()], { error: 'a whole number or a string' })
    .transform(String)
    .default('0')
    .describe('Another seed strikes other requests'),
  reset: z.literal(true).optional().describe('Break the connection off without an answer'),
  truncate: z.int().min(0).optional().describe('Break the connection off after so many bytes of the body'),
});
export type FaultOptions = Omit<z.input<typeof FaultBody>, 'route'>;

/** A fault that cannot be armed: everything that is wrong with it. */
export class FaultError extends Error {
  override name = 'FaultError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ place, message }) => `fault ${place}: ${message}`).join('\n'));
    this.problems = problems;
  }
}

/** A fault as it is told to people. */
export const FaultRecord = z.strictObject({
  id: z.string(),
  route: z.string().nullable(),
  method: z.string().nullable(),
  user: z.string().nullable(),
  status: z.int().nullable(),
  times: z.int().nullable(),
  after: z.int(),
  headers: z.record(z.string(), z.string()).nullable(),
  body: z.unknown(),
  delay: z.union([z.number(), z.tuple([z.number(), z.number()]).readonly()]).nullable(),
  rate: z.number(),
  seed: z.string(),
  reset: z.boolean(),
  truncate: z.int().nullable(),
  seen: z.int().describe('Matching requests so far'),
  hits: z.int().describe('Requests struck so far'),
  remaining: z.int().nullable().describe('Requests still to strike; null for any number'),
});
export type FaultRecord = z.output<typeof FaultRecord>;

/** @throws FaultError for a route, user or value that does not exist */
export function armFault(state: State, options: unknown, routes: readonly Route[]): Fault {
  const parsed = FaultBody.safeParse(options, { reportInput: true });
  if (!parsed.success) throw new FaultError(explain(parsed.error, '', Object.keys(FaultBody.shape)));
  const { route, method, user, status, headers, delay, reset, truncate, ...rest } = parsed.data;
  const problems = problemsOfTarget(parsed.data, state, routes);
  for (const [name, value] of Object.entries(headers ?? {})) {
    const message = complaintAboutHeader(name, value);
    if (message !== undefined) problems.push({ place: 'headers', message });
  }
  if (Array.isArray(delay) && delay[0] > delay[1]) {
    problems.push({ place: 'delay', message: `found ${show(delay)}; expected the least before the most.` });
  }
  if (problems.length > 0) throw new FaultError(problems);
  const lets = delay !== undefined || truncate !== undefined || reset === true;
  const answers = rest.body !== undefined || headers !== undefined;
  const fault: Fault = {
    ...rest,
    id: `f${++state.faultCount}`,
    route,
    method,
    userId: user === undefined ? undefined : findUserByRef(state, user)?.id,
    headers,
    status: status ?? (lets && !answers ? undefined : 500),
    delay,
    reset,
    truncate,
    seen: 0,
    hits: 0,
  };
  state.faults = [...state.faults, fault];
  return fault;
}

/** @param id of one fault; by default all of them. @throws UnknownNameError */
export function disarmFaults(state: State, id?: string): void {
  if (id !== undefined && !state.faults.some((fault) => fault.id === id)) {
    const ids = state.faults.map((fault) => fault.id);
    throw new UnknownNameError(`There is no fault ${show(id)}. Armed: ${ids.join(', ') || 'none'}.`);
  }
  state.faults = id === undefined ? [] : state.faults.filter((fault) => fault.id !== id);
}

/** What the platform has against a header, which it would say only when the answer is to be sent. */
function complaintAboutHeader(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const faultView = (state: State, fault: Fault): FaultRecord => ({
  id: fault.id,
  route: fault.route ?? null,
  method: fault.method ?? null,
  user: fault.userId === undefined ? null : userRef(authorOf(state, { authorId: fault.userId })),
  status: fault.status ?? null,
  times: fault.times ?? null,
  after: fault.after,
  headers: fault.headers ?? null,
  body: fault.body ?? null,
  delay: typeof fault.delay === 'object' ? [fault.delay[0], fault.delay[1]] : (fault.delay ?? null),
  rate: fault.rate,
  seed: fault.seed,
  reset: fault.reset ?? false,
  truncate: fault.truncate ?? null,
  seen: fault.seen,
  hits: fault.hits,
  remaining: remainingOf(fault),
});
