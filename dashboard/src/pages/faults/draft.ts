import { toLiteral } from '../../../../src/engine/make-test/literal.js';
import { parseBody } from '../../lib/api.js';
import type { FaultRecord } from '../../lib/types.js';

/** The fields of the form of a fault, as typed. */
export interface FaultDraft {
  /** `POST /v1/vals`; `*` for any. */
  readonly route: string;
  readonly method: string;
  readonly user: string;
  readonly status: string;
  /** A line `Name: value` for each. */
  readonly headers: string;
  readonly body: string;
  /** Milliseconds: `2000`, or `100-300`. */
  readonly delay: string;
  readonly reset: boolean;
  readonly truncate: string;
  readonly after: string;
  readonly times: string;
  readonly rate: string;
  readonly seed: string;
  /** JSON. */
  readonly match: string;
}

/** Which requests get a fault. */
export const REQUEST_FIELDS = ['route', 'method', 'user', 'after', 'times', 'rate', 'seed', 'match'] as const;

export const EMPTY_DRAFT: FaultDraft = {
  route: '*',
  method: '',
  user: '',
  status: '',
  headers: '',
  body: '',
  delay: '',
  reset: false,
  truncate: '',
  after: '',
  times: '',
  rate: '',
  seed: '',
  match: '',
};

/** The fields that each kind of fault needs. */
export const EFFECTS = {
  error: { title: 'An error', fields: ['status', 'headers', 'body'] },
  delay: { title: 'A delay', fields: ['delay'] },
  reset: { title: 'A reset connection', fields: ['reset'] },
  truncate: { title: 'A body that is cut off', fields: ['truncate'] },
  several: { title: 'Several of these', fields: ['status', 'headers', 'body', 'delay', 'reset', 'truncate'] },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly fields: readonly (keyof FaultDraft)[] }>
>;
export type EffectKind = keyof typeof EFFECTS;

export const isEffectKind = (text: string): text is EffectKind => text in EFFECTS;

/** Finds the kind whose fields are filled in: the first one that has them all. */
export function findKind(draft: FaultDraft): EffectKind {
  const filled = EFFECTS.several.fields.filter((name) => draft[name] !== EMPTY_DRAFT[name]);
  const isEnough = (kind: EffectKind) => filled.every((name) => EFFECTS[kind].fields.some((other) => other === name));
  return Object.keys(EFFECTS).filter(isEffectKind).find(isEnough) ?? 'several';
}

/** Clears the fields that a kind does not need. */
export function toKind(draft: FaultDraft, kind: EffectKind): FaultDraft {
  const kept = EFFECTS[kind].fields.map((name) => [name, draft[name]]);
  const cleared = EFFECTS.several.fields.map((name) => [name, EMPTY_DRAFT[name]]);
  const reset = kind === 'reset' || (kind === 'several' && draft.reset);
  return { ...draft, ...Object.fromEntries([...cleared, ...kept]), reset };
}

/** Reads the fields that a link fills in. */
export const readDraft = (query: URLSearchParams): FaultDraft => ({
  ...EMPTY_DRAFT,
  ...Object.fromEntries(
    [...REQUEST_FIELDS, ...EFFECTS.several.fields].flatMap((name) =>
      query.has(name) ? [[name, query.get(name)]] : [],
    ),
  ),
  reset: query.has('reset'),
});

export interface Template {
  readonly title: string;
  readonly hint: string;
  readonly fields: Partial<FaultDraft>;
}

export const TEMPLATES: readonly Template[] = [
  {
    title: '429 with Retry-After',
    hint: 'One request is over a limit; the next one is fine after a second.',
    fields: { status: '429', headers: 'Retry-After: 1', times: '1' },
  },
  {
    title: 'Two 503s, then fine',
    hint: 'Does your program try again, and twice?',
    fields: { status: '503', times: '2' },
  },
  { title: 'Slow: 2 s', hint: 'Each response is true, but late.', fields: { delay: '2000' } },
  {
    title: 'Random 500s: 10 %',
    hint: 'One request in ten fails; the same ones on every run.',
    fields: { status: '500', rate: '0.1' },
  },
  {
    title: 'Connection reset',
    hint: 'One connection ends without a response.',
    fields: { reset: true, times: '1' },
  },
  {
    title: 'Body cut off',
    hint: 'The request runs, but its response ends after 20 bytes.',
    fields: { truncate: '20', times: '1' },
  },
];

/** A number, or the text as typed for the emulator to refuse with its message. Undefined for an empty text. */
const toNumber = (text: string): number | string | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isNaN(number) ? trimmed : number;
};

const toText = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

function parseDelay(text: string): unknown {
  const range = /^\s*(\d+)\s*(?:-|–|to|,)\s*(\d+)\s*$/.exec(text);
  return range ? [Number(range[1]), Number(range[2])] : toNumber(text);
}

/** JSON, or the text itself. */
const parseJson = (text: string): unknown => (text.trim() === '' ? undefined : parseBody(text));

/** Reads a line `Name: value` for each header. */
function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const index = line.indexOf(':');
      return index < 1 ? [line.trim(), ''] : [line.slice(0, index).trim(), line.slice(index + 1).trim()];
    }),
  );
}

/** Makes the body of `POST /_emulator/faults`. */
export const toFaultInput = (draft: FaultDraft): Readonly<Record<string, unknown>> => ({
  route: draft.route === '*' ? undefined : draft.route,
  method: draft.route === '*' ? toText(draft.method) : undefined,
  user: toText(draft.user),
  match: parseJson(draft.match),
  status: toNumber(draft.status),
  headers: parseHeaders(draft.headers),
  body: parseJson(draft.body),
  delay: parseDelay(draft.delay),
  reset: draft.reset ? true : undefined,
  truncate: toNumber(draft.truncate),
  after: toNumber(draft.after),
  times: toNumber(draft.times),
  rate: toNumber(draft.rate),
  seed: toText(draft.seed),
});

/** Writes options as a call: `emulator.fail('POST /v1/vals', { status: 503 });`. */
export function toFailCall({ route, ...options }: Readonly<Record<string, unknown>>): string {
  const text = toLiteral(options);
  return `emulator.fail(${toLiteral(route ?? '*')}${text === '{}' ? '' : `, ${text}`});`;
}

/** Describes what a fault does: `503, 2 times, after 1`. */
export function describeEffect(fault: FaultRecord): string {
  const { status, delay, reset, truncate, headers, body } = fault;
  const effects = [
    delay !== null && `waits ${Array.isArray(delay) ? `${delay[0]}–${delay[1]}` : delay} ms`,
    reset && 'resets the connection',
    truncate !== null && `cuts the body off after ${truncate} bytes`,
    !reset && status !== null && `status ${status}`,
    headers !== null &&
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
    body !== null && 'own body',
  ];
  return effects.filter(Boolean).join(', ');
}

/** Describes which requests get a fault: `user ada, the first 2, after 1`. */
export function describeCondition({ user, method, route, times, after, rate, seed, match }: FaultRecord): string {
  const conditions = [
    route === null && method !== null && method,
    user !== null && `user ${user}`,
    match !== null && `with ${JSON.stringify(match)}`,
    after > 0 && `after ${after}`,
    times !== null && (times === 1 ? 'once' : `${times} times`),
    rate < 1 && `${Math.round(rate * 1_000) / 10} % of them${seed === '0' ? '' : ` (seed ${seed})`}`,
  ];
  return conditions.filter(Boolean).join(', ') || 'every request';
}
