import type { Instant } from '#engine/lib/time.js';
import type { Bounds } from '#engine/store/collection.js';
import type { State } from '#vals/lib/state.collection.js';
import type { User, Val } from '#vals/service/service.collection.js';
import { getHandle } from '#vals/users/users.collection.js';
import { findValByName } from './val-records.collection.js';

import { isDiscoverable } from './vals.rules.js';

/** An import of one val by another. Not stored: it follows from the code of the importer's latest version. */
export interface Reference {
  readonly reference: Val;
  readonly dependsOn: Val;
  readonly referencedAt: Instant;
}

/** Lists the references to any val of a user, newest first, from vals that the user can discover. */
export function* listReferences(state: State, user: User, window: Bounds): Generator<Reference> {
  const imports = state.vals.by.importsByTargetAuthor.range([getHandle(user).toLowerCase()], window);
  for (const { importer, target } of imports) {
    const dependsOn = findValByName(state, user.id, target.name);
    if (dependsOn && dependsOn.id !== importer.id && isDiscoverable(importer, user)) {
      yield { reference: importer, dependsOn, referencedAt: importer.latest.createdAt };
    }
  }
}

/** Counts the other public vals that import a val. */
export function countReferences(state: State, val: Val, author: User): number {
  const username = getHandle(author).toLowerCase();
  const name = val.name.toLowerCase();
  const importers = state.vals.by.importsByTarget.range([username, name, 'public']).length;
  const importsItself = val.latest.imports.some((target) => target.username === username && target.name === name);
  return importsItself && val.privacy === 'public' ? importers - 1 : importers;
}
