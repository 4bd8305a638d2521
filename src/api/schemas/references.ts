import { Type } from 'typebox';
import { toTimestamp } from '../../lib/time.js';
import type { Reference } from '../../model/references.js';
import type { Val } from '../../model/schema.js';
import type { State } from '../../model/state.js';
import { getAuthor } from '../../model/users.js';
import { Id, Nullable } from './common.js';

const referent = (description: string) =>
  Type.Object(
    { id: Id, username: Nullable(Type.String()), author_id: Nullable(Id), name: Type.String() },
    { description, additionalProperties: false },
  );

export const ReferenceItem = Type.Object(
  {
    reference: referent('The importing val'),
    dependsOn: referent('The imported val'),
    referencedAt: Type.String({ format: 'date-time', description: 'Creation time of the importing version' }),
  },
  { title: 'Reference', additionalProperties: false },
);

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
