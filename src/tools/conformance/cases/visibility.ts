import { type Case, chosen, type Expectation, operation, type Row, recorded } from '../case.js';
import { basicVal, pageContaining, pageWith, pageWithout, sameAs, shows } from './schemas.js';

/** An operation that returns a val, or leads to one. */
interface View {
  readonly name: string;
  readonly route: string;
  /** What docs/fidelity.md says on who sees it. */
  readonly rule: string;
  /** The request, with `{val.id}` and `{val.name}` for the val. */
  readonly send: string;
  /** What the author reads by another operation, as `mine`, and how the response agrees with it. */
  readonly other: string;
  readonly expect: Expectation;
  /** For a list: who finds the val in it. Otherwise a private val is an error for others. */
  readonly isListed?: (privacy: string, sender: string) => boolean;
}

const BY_ID = 'GET /v1/vals/{val.id}';
const BY_NAME = 'GET /v1/alias/{me.username}/{val.name}';
const LATEST = 'GET /v1/vals/{val.id}/versions/{val.version}';
const EQUAL = { status: 200, equals: 'mine' };
const IN_PAGE = { status: 200, body: pageContaining(sameAs('mine', basicVal)) };
const TIME_OF_LATEST = { val_id: '{mine.id}', version: '{mine.version}', createdAt: '{mine.versionCreatedAt}' };

const VIEWS: readonly View[] = [
  {
    ...{ name: 'getVal', route: 'GET /v1/vals/{val_id}', send: BY_ID, other: LATEST, expect: EQUAL },
    rule: 'privacy',
  },
  {
    ...{ name: 'getValByName', route: 'GET /v1/alias/{username}/{val_name}', send: BY_NAME, other: BY_ID },
    ...{ expect: EQUAL, rule: 'same' },
  },
  {
    ...{ name: 'getVersion', route: 'GET /v1/vals/{val_id}/versions/{version}', send: LATEST, other: BY_ID },
    ...{ expect: EQUAL, rule: 'private' },
  },
  {
    ...{ name: 'listVersions', route: 'GET /v1/vals/{val_id}/versions', send: `${BY_ID}/versions`, other: LATEST },
    ...{ expect: { status: 200, body: pageWith(TIME_OF_LATEST) }, rule: 'private' },
  },
  {
    ...{ name: 'listUserVals', route: 'GET /v1/users/{user_id}/vals', other: BY_ID, expect: IN_PAGE },
    send: 'GET /v1/users/{me.id}/vals?limit=100',
    rule: 'privacy',
    isListed: (privacy, sender) => privacy === 'public' || sender === 'me',
  },
  {
    ...{ name: 'searchVals', route: 'GET /v1/search/vals', other: BY_ID, expect: IN_PAGE },
    send: 'GET /v1/search/vals?query={val.name}&limit=100',
    rule: 'public',
    isListed: (privacy) => privacy === 'public',
  },
];

/** What is in the place of an id or a name that no val has. */
const UNKNOWN: Readonly<Record<string, string>> = { '{val.id}': '{unknown}', '{val.name}': 'none_{hex}' };
/** What was found of the account, by privacy. */
const VALS = { public: 'val', unlisted: 'unlisted', private: 'private' };
const SENDERS = { me: 'The author', second: 'Another user', anonymous: 'A client without a token' } as const;
const PAIRS = Object.entries(VALS).flatMap(([privacy, val]) =>
  (['me', 'second', 'anonymous'] as const).map((as) => ({ privacy, val, as })),
);

/** Checks what each sender sees of a val of each privacy, by one operation. */
function checksOf({ name, route, rule, send, other, expect, isListed }: View): Case[] {
  const seen: Record<string, Row> = {};
  const hidden: Record<string, Row> = {};
  for (const { privacy, val, as } of PAIRS) {
    const of = (request: string) => request.replaceAll('{val.', `{${val}.`);
    const id = `${privacy}-${as}`;
    const title = `${SENDERS[as]} and ${privacy === 'unlisted' ? 'an' : 'a'} ${privacy} val`;
    const act = { send: of(send), as };
    if (isListed ? isListed(privacy, as) : privacy !== 'private' || as === 'me') {
      const mine = { send: of(other), save: 'mine' };
      seen[`${id}: ${title}: the same as the author reads by another operation`] = [[mine, act], expect];
    } else if (isListed) {
      seen[`${id}: ${title}: it is not in the list`] = [act, shows(pageWithout({ id: `{${val}.id}` }))];
    } else {
      seen[`${id}: ${title}: an error`] = [act, { status: [401, 403, 404] }];
      const unknown = send.replace(/\{val\.(?:id|name)\}/, (key) => UNKNOWN[key] ?? '');
      const steps = [{ send: unknown, as, status: 404, save: 'none' }, act];
      const expected = { status: 404, equals: 'none' };
      hidden[`${id}-like-unknown: ${title}: the 404 of an unknown one`] = [steps, expected];
    }
  }
  return [...operation(name, route, [recorded(rule, seen)]), ...operation(name, '*', [chosen('hidden', hidden)])];
}

/** Who sees which val, by each operation that returns vals. */
export const visibilityCases: readonly Case[] = VIEWS.flatMap(checksOf);
