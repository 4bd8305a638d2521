import { deleteDatabase } from './databases.js';
import type { User, Val } from './schema.js';
import type { Draft } from './state.js';
import { deleteVal } from './vals.js';

/** Deletes a user with their vals, likes, comments, emails, blobs, database and the faults for them. */
export function deleteUser(draft: Draft, user: User): void {
  for (const val of draft.vals.by.author.range([user.id])) deleteVal(draft, val);
  for (const like of draft.likes.by.user.range([user.id])) draft.likes = draft.likes.delete(like);
  for (const { comment } of draft.comments.by.participant.range([user.id, 'given'])) {
    draft.comments = draft.comments.delete(comment);
  }
  for (const email of draft.emails.by.user.range([user.id])) draft.emails = draft.emails.delete(email);
  for (const blob of draft.blobs.range(user.id)) draft.blobs = draft.blobs.delete(blob);
  const database = draft.sqlite.get(user.id);
  if (database) deleteDatabase(draft, database);
  draft.faults = draft.faults.filter(({ userId }) => userId !== user.id);
  draft.users = draft.users.delete(user);
}

/** Moves the runs and comments of a val to its author, after that has changed. */
export function moveToAuthor(draft: Draft, { id, authorId }: Val): void {
  for (const run of draft.runs.by.val.range([id])) draft.runs = draft.runs.put({ ...run, authorId });
  for (const comment of draft.comments.by.val.range([id])) {
    draft.comments = draft.comments.put({ ...comment, valAuthorId: authorId });
  }
}
