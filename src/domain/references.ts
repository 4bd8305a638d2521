import type { Instant } from './clock.js';
import type { Bounds } from './collection.js';
import type { State } from './state.js';
import type { User } from './users.js';
import { findValByName, isListed, type Val } from './vals.js';
import { importsOf } from './versions.js';

/** That one val imports another. Not stored: it follows from the code of the importing val's latest version. */
export interface Reference {
  readonly reference: Val;
  readonly dependsOn: Val;
  readonly referencedAt: Instant;
}

/** References to any of the user's vals, newest first, from vals that are listed for the user. */
export function* referencesTo(state: State, user: User, window: Bounds): Generator<Reference> {
  if (user.username === null) return;
  for (const found of state.vals.by.targetAuthor.range([user.username.toLowerCase()], window)) {
    const { importer, target } = found;
    const dependsOn = findValByName(state, user.id, target.name);
    if (dependsOn && dependsOn.id !== importer.id && isListed(importer, user)) {
      yield { reference: importer, dependsOn, referencedAt: importer.latest.createdAt };
    }
  }
}

/** How many other public vals import this one. */
export function countReferences(state: State, val: Val, author: User): number {
  if (author.username === null) return 0;
  const username = author.username.toLowerCase();
  const name = val.name.toLowerCase();
  const importers = state.vals.by.target.range([username, name, 'public']).length;
  const importsItself = importsOf(val.latest).some((target) => target.username === username && target.name === name);
  return importsItself && val.privacy === 'public' ? importers - 1 : importers;
}
