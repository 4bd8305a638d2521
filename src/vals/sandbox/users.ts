import { type Static, Type } from 'typebox';
import { Id, Nullable } from '#engine/api/schemas/common.js';
import { record } from '#engine/lib/schema.js';
import type { State } from '#engine/state/state.js';

const emulatorUser = record('EmulatorUser', {
  username: Nullable(Type.String()),
  id: Id,
  token: Type.String({ description: 'For the header `Authorization: Bearer <token>`' }),
});
/** A user to send requests as. */
export interface EmulatorUser extends Static<typeof emulatorUser> {}
export const EmulatorUser = Type.Unsafe<EmulatorUser>(emulatorUser);

/** Lists the users in the order of the fixtures. */
export const listUsers = ({ users }: State): EmulatorUser[] =>
  [...users.by.serial.range()].map(({ username, id, token }) => ({ username, id, token }));
