import { chosen, type Expectation, type Level, type RuleChecks, recorded, type Step } from '../case.js';
import { having } from './schemas.js';

/** Source: messages of the service that its command-line tool prints. */
export const MISSING_SCOPE = 'Token does not have the required permissions';

const lacksScope = (...status: readonly number[]): Expectation => ({
  status,
  body: having({ message: MISSING_SCOPE }),
});
// The client of the service treats both statuses alike.
const REFUSED = lacksScope(401, 403);

/** What an operation allows to a token, with requests to it. */
interface Scoped {
  readonly route: string;
  /** A request about what does not exist: a service without scopes changes as little as possible. */
  readonly unknown: Step;
  /** Requests of which the last one succeeds, and its status. Undefined for an operation that writes. */
  readonly read: readonly [steps: readonly Step[], status: number] | undefined;
  /** Requests of an operation that reads or writes, as what it is given says: these write. */
  readonly write: Step | undefined;
  /** Whether it needs no token. */
  readonly isOpen: boolean;
  /** Of a request that a service without scopes does not refuse. */
  readonly level: { readonly level?: Level };
}

/** The rules on scopes, for an operation: a token without its scope, and a token that may only read. */
export function scopeRules({ route, unknown, read, write, isOpen, level }: Scoped): RuleChecks[] {
  const limited: Step = { ...unknown, as: 'limited' };
  return [
    recorded('scopes', {
      // Nothing says that a route without a token looks at the scopes of one.
      ...(!isOpen && { [`no-scope: ${route} refuses a token without its scope`]: [limited, REFUSED, level] }),
      ...(read
        ? {
            [`read-scope: ${route} needs a scope that reads`]: [
              [...read[0].slice(0, -1), ...read[0].slice(-1).map((step): Step => ({ ...step, as: 'reader' }))],
              read[1],
              level,
            ],
          }
        : {
            [`write-scope: ${route} refuses a token that may only read`]: [
              { ...unknown, as: 'reader' },
              REFUSED,
              level,
            ],
          }),
      ...(write && {
        'write-scope: A statement that writes is refused to a token that may only read': [
          { ...write, as: 'reader' },
          REFUSED,
        ],
      }),
    }),
    chosen('missing-scope', {
      [`no-scope-status: ${route} responds with a 403 to a token without its scope`]: [limited, lacksScope(403), level],
    }),
  ];
}
