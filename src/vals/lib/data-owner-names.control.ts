import { Type } from 'typebox';

/** Whose a blob or a database is: one of these keys is there. */
export const DataOwnerNames = {
  user: Type.Optional(Type.String({ description: 'Username, or the id of a user without one' })),
  project: Type.Optional(Type.String({ description: 'Instead of user: the project whose it is, such as ada/site' })),
};
