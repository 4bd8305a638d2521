/** Where a value is in the body of a response. */
export interface Place {
  /** Name of the variable that has the body. */
  readonly body: string;
  readonly keys: readonly (string | number)[];
}

/** An id that a response has made, as later requests send it. */
export interface NewId extends Place {
  /** Name of the variable that has the id. */
  readonly name: string;
}

/** A string that contains new ids. */
export class Template {
  readonly parts: readonly (string | NewId)[];

  constructor(parts: readonly (string | NewId)[]) {
    this.parts = parts;
  }
}

/** A value that differs each time. */
export class Varying {
  readonly type: 'string' | 'number' | 'list' | 'any';
  readonly place: Place;

  constructor(type: Varying['type'], place: Place) {
    this.type = type;
    this.place = place;
  }
}

/** A JSON value whose texts may have new ids, and whose parts may vary. */
export type Pattern = unknown;

/** A body to send: text, JSON, or bytes in base64. */
export type Body =
  | { readonly text: string | Template }
  | { readonly json: Pattern }
  | { readonly base64: string }
  | undefined;

/** A fault that is armed before a request. */
export interface ArmedFault {
  readonly route: string;
  readonly effect: { readonly status: number; readonly times: 1 } | { readonly reset: true; readonly times: 1 };
}

/** A request of a test, and what the test expects of its response. */
export interface Step {
  /** Id of the request: `r3`. */
  readonly id: string;
  /** The route, or the method and the path. */
  readonly title: string;
  /** What the reader has to know of it. */
  readonly comment: string | undefined;
  readonly fault: ArmedFault | undefined;
  readonly method: string;
  readonly path: string | Template;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** 0 for a connection that is reset. */
  readonly status: number;
  /** Whether the body is an event stream with one message. */
  readonly isStream: boolean;
  /** The body of the response. Undefined for any */
  readonly expected: Pattern | undefined;
  /** The ids of the response that later requests send. */
  readonly newIds: readonly NewId[];
}

/** What a test is written of. */
export interface Script {
  readonly title: string;
  /** Time of the clock, which is frozen. */
  readonly now: string;
  /** Options of the emulator that differ from their defaults. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly fixtures: object;
  /** Name of the file next to the test that has the fixtures. Undefined if the test has them */
  readonly fixtureFile: string | undefined;
  readonly steps: readonly Step[];
}

/** The name of the variable with the body of a response. */
export const bodyName = (id: string): string => `body${id.slice(1)}`;

/** Maps what is not plain JSON in a pattern. */
export function mapPattern(pattern: Pattern, map: (part: string | Template | Varying) => unknown): unknown {
  if (typeof pattern === 'string' || pattern instanceof Template || pattern instanceof Varying) return map(pattern);
  if (Array.isArray(pattern)) return pattern.map((each) => mapPattern(each, map));
  if (typeof pattern !== 'object' || pattern === null) return pattern;
  return Object.fromEntries(Object.entries(pattern).map(([name, each]) => [name, mapPattern(each, map)]));
}

/** Whether a pattern varies somewhere. */
export function varies(pattern: Pattern): boolean {
  let found = false;
  mapPattern(pattern, (part) => {
    found ||= part instanceof Varying;
    return part;
  });
  return found;
}
