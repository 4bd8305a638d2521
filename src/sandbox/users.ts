import { type Static, Type } from 'typebox';
import { Id, Nullable } from '../api/schemas/common.js';
import { record } from '../lib/schema.js';
import type { State } from '../model/state.js';

/** A user to send requests as. */
export const EmulatorUser = record('EmulatorUser', {
  username: Nullable(Type.String()),
  id: Id,
  token: Type.String({ description: 'For the header `Authorization: Bearer <token>`' }),
});
export type EmulatorUser = Static<typeof EmulatorUser>;

/** Lists the users in the order of the fixtures. */
export const listUsers = ({ users }: State): EmulatorUser[] =>
  [...users.by.serial.range()].map(({ username, id, token }) => ({ username, id, token }));
