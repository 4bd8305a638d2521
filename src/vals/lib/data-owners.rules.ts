import type { Token, User } from '#vals/service/service.collection.js';
import type { DataOwner } from './data-owners.collection.js';

/** Whose request it is: of which user, and by which token if that is not the user's own. */
export interface DataRequest {
  readonly caller: User;
  readonly credential: Token | undefined;
}

/** Returns the owner of the data that a request reaches: the project of its token, else the account. */
export const toDataOwner = ({ caller, credential }: DataRequest): DataOwner =>
  credential?.projectId === undefined ? { userId: caller.id } : { projectId: credential.projectId };
