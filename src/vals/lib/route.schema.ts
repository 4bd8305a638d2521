import { type ApiContext, type Origin, routeFor } from '#engine/api/route.js';
import type { Scope, Token, User } from '#vals/service/service.collection.js';
import type { Databases } from '#vals/sqlite/databases.rules.js';
import type { Draft, State } from './state.collection.js';

/** The types of the vals service, for its routes and tools. */
export interface Types {
  readonly state: State;
  readonly draft: Draft;
  readonly caller: User;
  readonly credential: Token;
  readonly engine: Databases;
}

export type Context = ApiContext<Types>;

export const route = routeFor<
  Types,
  Origin & { readonly description: string; readonly scope?: Scope; readonly writeScope?: Scope }
>();
