import { ApiError, NotFoundError } from '#engine/lib/errors.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import type { Instant } from '#engine/lib/time.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { TokenScope } from '#vals/users/scopes.collection.js';
import { findUserByReference, getHandle, type User } from '#vals/users/users.collection.js';
import { toResource } from './addresses.rules.js';
import { type Decision, decide, readAuthorization, selectAllowed } from './authorization.rules.js';
import { LoginError } from './errors.rules.js';
import { decideOnDevice, findDevice } from './grants.rules.js';

/** A program's decision, made for a user without a page. */
export interface ProgramDecision {
  readonly user: string;
  readonly scopes?: readonly string[] | undefined;
  readonly deny?: boolean | undefined;
}

/** Ends a login, and returns where it leads, with a code or an error. @throws ApiError for a login that leads nowhere, NotFoundError for an unknown user */
export function decideByAddress(draft: Draft, address: string, decision: ProgramDecision, now: Instant): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !url.pathname.endsWith('/oauth/auth')) {
    throw new ApiError(
      400,
      `${formatValue(address)} is not the address of a login: it ends in /oauth/auth, with a query`,
    );
  }
  const issuer = url.origin + url.pathname.replace(/\/auth$/, '');
  const resource = toResource(issuer.replace(/\/oauth$/, ''));
  const found = readAuthorization(draft, url.searchParams, { issuer, resource });
  if ('leadTo' in found) {
    return decide(draft, found, toDecision(draft, found.asked.scopes, decision), now);
  }
  const { location, error } = found;
  if (location === undefined) throw toApiError(error);
  return location;
}

/** Logs a user in on a device, or denies it. @throws ApiError for a wrong code, NotFoundError for an unknown user */
export function decideByUserCode(draft: Draft, userCode: string, decision: ProgramDecision, now: Instant): void {
  const grant = attempt(() => findDevice(draft, userCode, now));
  const decided = toDecision(draft, grant.scopes, decision);
  decideOnDevice(draft, grant, decided.user, selectAllowed(grant.scopes, decided));
}

function attempt<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof LoginError ? toApiError(error) : error;
  }
}

const toApiError = ({ error, message, reason }: LoginError): ApiError =>
  new ApiError(400, `${error}: ${message}${reason === undefined ? '' : ` (${reason})`}`);

function toDecision(
  state: State,
  asked: readonly TokenScope[],
  { user: reference, scopes, deny = false }: ProgramDecision,
): Decision {
  const user = getUser(state, reference);
  const other = scopes?.find((each) => !asked.some((scope) => scope === each));
  if (other !== undefined) {
    const hint = didYouMean(other, asked) || ` It asks for ${asked.join(', ') || 'none'}.`;
    throw new ApiError(400, `The login does not ask for the scope ${formatValue(other)}.${hint}`);
  }
  return { user: deny ? undefined : user, scopes };
}

function getUser(state: State, reference: string): User {
  const user = findUserByReference(state, reference);
  if (user) return user;
  const names = [...state.users.by.serial.range()].map(getHandle);
  throw new NotFoundError(`There is no user ${formatValue(reference)}.${didYouMean(reference, names)}`);
}
