import { Type } from 'typebox';
import { Page, Paging, PagingQuery, page, toBounds, Window } from '#engine/api/pagination.js';
import { toTimestamp } from '#engine/lib/time.js';
import { Choice, Id, Nullable, Timestamp } from '#engine/schema/common.js';
import { record, strictObject } from '#engine/schema/schema.js';
import { route } from '#vals/lib/route.schema.js';
import type { State } from '#vals/lib/state.collection.js';
import { type Comment, RELATIONSHIPS, type User, type Val } from '#vals/service/service.collection.js';
import { Author, authorView } from '#vals/users/users.schema.js';
import { listReferences, type Reference } from '#vals/vals/references.rules.js';
import { getAuthor } from '#vals/vals/val-records.collection.js';
import { getVal } from '#vals/vals/vals.rules.js';
import { BasicVal, basicValJson, Privacy } from '#vals/vals/vals.schema.js';
import { listComments, listLikedVals } from './reactions.rules.js';

const CommentQuery = Type.Object({
  ...Paging,
  ...Window,
  relationship: Choice(RELATIONSHIPS, {
    title: 'CommentRelationship',
    default: 'any',
    description: 'Comments by the caller (given), on vals of the caller (received), or either',
  }),
});

const CommentItem = record('Comment', {
  comment: Type.String({ description: 'Markdown' }),
  id: Id,
  createdAt: Timestamp,
  author: Author,
  val: record('CommentVal', {
    name: Type.String(),
    id: Id,
    version: Type.Integer({ minimum: 0 }),
    privacy: Privacy,
    author: Nullable(Author),
  }),
});

const commentView = (comment: Comment, author: User, val: Val, valAuthor: User) => ({
  comment: comment.comment,
  id: comment.id,
  createdAt: toTimestamp(comment.createdAt),
  author: authorView(author),
  val: { name: val.name, id: val.id, version: val.latest.version, privacy: val.privacy, author: authorView(valAuthor) },
});

const referent = (description: string) =>
  strictObject(
    { id: Id, username: Nullable(Type.String()), author_id: Nullable(Id), name: Type.String() },
    { title: 'ReferencedVal', description },
  );

const ReferenceItem = record('Reference', {
  reference: referent('The importing val'),
  dependsOn: referent('The imported val'),
  referencedAt: Type.String({ format: 'date-time', description: 'Creation time of the importing version' }),
});

function referentView(state: State, val: Val) {
  return { id: val.id, username: getAuthor(state, val).username, author_id: val.authorId, name: val.name };
}

const referenceView = (state: State, { reference, dependsOn, referencedAt }: Reference) => ({
  reference: referentView(state, reference),
  dependsOn: referentView(state, dependsOn),
  referencedAt: toTimestamp(referencedAt),
});

/** Likes, comments and references that the caller gave or received. */
export const reactionRoutes = [
  route('GET', '/v1/me/likes', 'List vals liked by the current user', {
    id: 'listMyLikes',
    description: 'Returns the vals, the newest like first.',
    auth: 'required',
    scope: 'val:read',
    query: PagingQuery,
    response: Page('ValPage', BasicVal),
    errors: [400, 401, 403],
    rules: {
      specification: ['list: Vals that the caller likes, by limit and offset.'],
      record: ['shape: Items have the shape of vals in lists.'],
      chosen: [
        'order: The newest like comes first, as in feeds. Likes with the same time are sorted by the id of the val, so pages are stable.',
        'private: A private val of another user is not listed, since the caller may not read it.',
      ],
    },
    handle: (context) =>
      page(listLikedVals(context.state, context.caller), context.query, context.links, (val) =>
        basicValJson(context, val),
      ),
  }),
  route('GET', '/v1/me/comments', 'List comments related to the current user, either given or received', {
    id: 'listMyComments',
    description:
      'Returns the newest comment first. `relationship` selects the comments that the caller wrote or received.',
    auth: 'required',
    scope: 'val:read',
    query: CommentQuery,
    response: Page('CommentPage', CommentItem),
    errors: [400, 401, 403],
    rules: {
      specification: [
        'list: Comments given or received, filtered by relationship (with the value any), limit, offset, since and until.',
      ],
      record: [
        'relationship: relationship is any (the default), given or received.',
        'direction: Given comments are by the caller; received ones are on vals of the caller.',
        'window: since is exclusive, until inclusive.',
      ],
      chosen: [
        'order: The newest comes first, as in every list.',
        'own-val: A comment by the author of the val is both given and received; any lists it once.',
        'private: Comments on a private val of another user are not listed, since the caller may not read the val.',
      ],
    },
    handle(context) {
      const { state, caller, query, links, json } = context;
      const comments = listComments(state, caller, query.relationship, toBounds(query));
      return page(comments, query, links, (comment) =>
        json(commentView, comment, context, () => {
          const val = getVal(state, comment);
          return [getAuthor(state, comment), val, getAuthor(state, val)];
        }),
      );
    },
  }),
  route('GET', '/v1/me/references', "List vals that depend on any of the user's vals", {
    id: 'listMyReferences',
    description: 'Returns each import of a val of the caller by another val, the newest first.',
    auth: 'required',
    scope: 'val:read',
    query: Type.Object({ ...Paging, ...Window }),
    response: Page('ReferencePage', ReferenceItem),
    errors: [400, 401, 403],
    rules: {
      specification: ["list: Vals that depend on any of the caller's vals. It names no parameters."],
      record: [
        'parameters: limit, offset, since and until are supported; clients send them.',
        'sides: reference is the importing val, dependsOn the val of the caller.',
      ],
      chosen: [
        'import: A reference is an import from esm.town in the latest version of a val. Its time is the time of that version.',
        'order: The newest comes first, as in every list.',
        'importers: Unlisted and private importers are visible only to their author, as in other lists of vals.',
        'itself: A val that imports itself is not a reference, since it depends on no other val.',
      ],
    },
    handle({ state, caller, query, links }) {
      const references = listReferences(state, caller, toBounds(query));
      return page(references, query, links, (reference) => referenceView(state, reference));
    },
  }),
];
