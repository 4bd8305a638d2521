import * as z from 'zod';
import { toTimestamp } from '../domain/clock.js';
import type { Reference } from '../domain/references.js';
import type { State } from '../domain/state.js';
import { authorOf } from '../domain/users.js';
import type { Val } from '../domain/vals.js';
import { named } from './components.js';
import { Json } from './json.js';

const Referent = named(
  'Referent',
  z.strictObject({
    id: z.guid(),
    username: z.string().nullable(),
    author_id: z.guid().nullable(),
    name: z.string(),
  }),
);

/** `reference` is the val that imports, `dependsOn` the one that is imported. */
export const ReferenceItem = named(
  'Reference',
  z.strictObject({
    reference: Referent.describe('The val that imports'),
    dependsOn: Referent.describe('The val that is imported'),
    referencedAt: z.iso.datetime().describe('When the version was made that imports'),
  }),
);

const referentView = (state: State, val: Val) => ({
  id: val.id,
  username: authorOf(state, val).username,
  author_id: val.authorId,
  name: val.name,
});

/** A reference in a list. */
export const referenceView = (state: State, { reference, dependsOn, referencedAt }: Reference) =>
  Json.of({
    reference: referentView(state, reference),
    dependsOn: referentView(state, dependsOn),
    referencedAt: toTimestamp(referencedAt),
  });
