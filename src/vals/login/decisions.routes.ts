import type { State } from '#vals/lib/state.collection.js';
import { findUserByReference, type User } from '#vals/users/users.collection.js';
import { toResource } from './addresses.rules.js';
import type { Decision, Place } from './authorization.rules.js';
import { type LoginRequest, readForm } from './define.routes.js';
import { invalidRequest, LoginError } from './errors.rules.js';
import type { Parameters } from './parameters.rules.js';

export const toPlace = ({ base, issuer }: LoginRequest): Place => ({ issuer, resource: toResource(base) });

export const listUsers = (state: State): Iterable<User> => state.users.by.serial.range();

/** Reads the decision of a user on a page. @throws LoginError for a form of a page of others, and for an unknown user */
export function readDecision(
  request: LoginRequest,
  state: State,
): { readonly form: Parameters; readonly decision: Decision } {
  const origin = request.header('origin');
  if (origin !== undefined && origin !== new URL(request.base).origin) {
    throw new LoginError('access_denied', 'the form is of another origin', `it was sent from ${origin}`, 403);
  }
  // A page can forge the addresses of a proxy, which the origin is compared with, and not this header.
  const site = request.header('sec-fetch-site') ?? 'none';
  if (!['same-origin', 'none'].includes(site)) {
    throw new LoginError('access_denied', 'the form is of another origin', `its sender is ${site}`, 403);
  }
  const form = readForm(request);
  if (form.all('deny').length > 0) return { form, decision: { user: undefined } };
  // Enter in the field of another user presses the first button.
  const name = form.get('other') || form.get('user');
  if (name === undefined) throw invalidRequest('no user was selected');
  const user = findUserByReference(state, name);
  if (!user) throw invalidRequest('no such user', `there is no user ${name}`);
  return { form, decision: { user, scopes: form.all('scope') } };
}
