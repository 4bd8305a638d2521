import { splitId } from '#tools/conformance/split-id.js';

/** Where a rule comes from: the specification, the public record of the service, or a choice of this project. */
export type Source = 'specification' | 'record' | 'chosen';

/** Effects of a run on the account: reads, creates and deletes vals, sends bodies at the limits, or emails to its user as well. */
export const LEVELS = ['read', 'write', 'limits', 'email'] as const;
export type Level = (typeof LEVELS)[number];

/** Further tokens that a run may have: of the second account, without the scope of any route, and with the scopes that read. */
export type FurtherToken = 'second' | 'limited' | 'reader';
/** The token of a request: of the account, a further one, none, or an unknown one. */
export type Sender = 'me' | FurtherToken | 'anonymous' | 'unknown';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A request. Names in braces stand for saved values: `/v1/vals/{val.id}`, `{all.data.0.id}`. */
export interface Step {
  /** Method, and path with query or a link. */
  readonly send: string;
  /** Default: `me` */
  readonly as?: Sender;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, with the media type of JSON unless `headers` have another. */
  readonly text?: string;
  /** Sent as bytes: two hexadecimal digits for each. */
  readonly hex?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the token. Default: `Bearer` */
  readonly scheme?: string;
  /** Milliseconds to wait before it is sent. Default: 0 */
  readonly pause?: number;
  /** Name under which later steps find the JSON of the response. */
  readonly save?: string;
  /** Expected status of a step of `arrange`. Default: any success */
  readonly status?: number;
}

type Json = Readonly<Record<string, unknown>>;

/** A value of the account that cases need. */
export interface Need {
  /** Why cases are skipped without it. */
  readonly missing: string;
  /** Lists in which it is found before the first case. Default: a step of a case saves it */
  readonly lists?: readonly string[];
  /** Selects it from the items of the lists. */
  readonly find?: (items: readonly Json[], me: Json) => Json | undefined;
  /** Whose lists they are. Default: `me` */
  readonly of?: 'second';
  /** The val that a run creates without it, if the level allows it. */
  readonly makes?: { readonly privacy: 'public' | 'unlisted' | 'private'; readonly as: 'me' | 'second' };
}
/** Needs by the names of their values. */
export type Needs = Readonly<Record<string, Need>>;

/** Whether a request creates a val, or a project. @param send method and path */
export const createsVal = (send: string): boolean => /^(?:P(?:OST|UT) \/v1|POST \/v2)\/vals$/.test(send);

/** The expected response. */
export interface Expectation {
  readonly status?: number | readonly number[];
  /** Patterns of values; null for a header that must be absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** JSON Schema of the body, or `none`. */
  readonly body?: JsonSchema | 'none';
  /** The bytes of the body: two hexadecimal digits for each. */
  readonly hex?: string;
  /** Whether status and headers are the ones of the response to a GET, which is the request before it. */
  readonly isLikeGet?: true;
  /** Name of a saved response that the body must equal. */
  readonly equals?: string;
  /** Expected items: the items of a saved list that match `where`, from `offset` on, at most `limit`. */
  readonly listed?: {
    readonly of: string;
    readonly where?: JsonSchema;
    readonly offset?: number;
    readonly limit?: number;
  };
  /** Key of the items of a list by whose value they must be sorted, the latest first. */
  readonly latestFirst?: string;
  /** For each link the exact parameters, true for a link with any, or null for one that must be absent. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>> | true | null>>;
}

/** One check of a rule. Without failures in `arrange`, the response to `act` must be as expected. */
export interface Check {
  /** Unique in its operation. */
  readonly id: string;
  /** Expectation in words. */
  readonly title: string;
  /** Default: `read` */
  readonly level?: Level;
  /** Further values that the case needs, in addition to the names in braces. */
  readonly needs?: readonly string[];
  /** Must succeed. */
  readonly arrange?: readonly Step[];
  /** Alone, or with more than a method and a path. */
  readonly act: string | Step;
  readonly expect: Expectation;
}

/** A rule of docs/fidelity.md with the checks that hold it. */
export interface RuleChecks {
  readonly source: Source;
  /** The id of the rule, unique in its route. */
  readonly rule: string;
  readonly checks: readonly Check[];
}

/** A check with its route and rule. */
export interface Case extends Check {
  /** Method and path with parameters in braces, or `*` for a rule of all operations. */
  readonly route: string;
  readonly source: Source;
  readonly rule: string;
}

type Request = string | Step;
type Conditions = Pick<Check, 'level' | 'needs'>;

/**
 * A check: its requests, of which the last one has the response that is checked, and what is expected; a number is a status. One
 * whose requests change something is of the level `write`.
 */
export type Row = readonly [requests: Request | readonly Request[], expected: number | Expectation, needs?: Conditions];
/** Checks by their ids and titles: `status: The response is a 204`. */
export type Rows = Readonly<Record<string, Row>>;

const toStep = (request: Request): Step => (typeof request === 'string' ? { send: request } : request);

function toCheck([name, [requests, expected, needs]]: [string, Row]): Check {
  const steps = [requests].flat();
  const [id, title] = splitId(name);
  return {
    ...{ id, title },
    ...(steps.some((step) => !/^(?:GET|HEAD|OPTIONS) /.test(toStep(step).send)) && { level: 'write' }),
    ...needs,
    ...(steps.length > 1 && { arrange: steps.slice(0, -1).map(toStep) }),
    act: steps.at(-1) ?? '',
    expect: typeof expected === 'number' ? { status: expected } : expected,
  };
}

/** Names the rules of an operation. @param name of the operation, with which the ids begin */
export const operation = (name: string, route: string, rules: readonly RuleChecks[]): Case[] =>
  rules.flatMap(({ source, rule, checks }) =>
    checks.map((check) => ({ ...check, id: `${name}/${check.id}`, route, source, rule })),
  );

const ruleFrom =
  (source: Source) =>
  (rule: string, rows: Rows): RuleChecks => ({ source, rule, checks: Object.entries(rows).map(toCheck) });

export const specified = ruleFrom('specification');
export const recorded = ruleFrom('record');
export const chosen = ruleFrom('chosen');
