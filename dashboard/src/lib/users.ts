import { computed, signal } from '@preact/signals';
import { type Resource, useResource } from './resource.js';
import type { EmulatorUser } from './types.js';

/** Id of the user that the pages send requests as; '' for requests without a token; undefined for the first user. */
export const callerId = signal<string | undefined>(undefined);

/** Whether requests are sent without a token. */
const isAnonymous = computed(() => callerId.value === '');

/** The users of the sandbox with their tokens. Records of an earlier commit have the tokens of now. */
export const useUsers = (): Resource<readonly EmulatorUser[]> => useResource<EmulatorUser[]>('/users');

/** Finds the user that requests are sent as. */
export const findCaller = (users: readonly EmulatorUser[]): EmulatorUser | undefined =>
  isAnonymous.value ? undefined : (users.find(({ id }) => id === callerId.value) ?? users[0]);

export const nameOfUser = ({ username, id }: EmulatorUser): string => username ?? id;

/** Users whose name, id or token contains a text. */
export function searchUsers(users: readonly EmulatorUser[], text: string): readonly EmulatorUser[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return users;
  return users.filter(({ username, id, token }) =>
    [username ?? '', id, token].some((value) => value.toLowerCase().includes(wanted)),
  );
}
