import { Type } from 'typebox';
import { record, strictObject } from '../../lib/schema.js';
import { toTimestamp } from '../../lib/time.js';
import type { Reference } from '../../model/references.js';
import type { Val } from '../../model/schema.js';
import type { State } from '../../model/state.js';
import { getAuthor } from '../../model/users.js';
import { Id, Nullable } from './common.js';

const referent = (description: string) =>
  strictObject(
    { id: Id, username: Nullable(Type.String()), author_id: Nullable(Id), name: Type.String() },
    { description },
  );

export const ReferenceItem = record('Reference', {
  reference: referent('The importing val'),
  dependsOn: referent('The imported val'),
  referencedAt: Type.String({ format: 'date-time', description: 'Creation time of the importing version' }),
});

const referentView = (state: State, val: Val) => ({
  id: val.id,
  username: getAuthor(state, val).username,
  author_id: val.authorId,
  name: val.name,
});

export const referenceView = (state: State, { reference, dependsOn, referencedAt }: Reference) => ({
  reference: referentView(state, reference),
  dependsOn: referentView(state, dependsOn),
  referencedAt: toTimestamp(referencedAt),
});
