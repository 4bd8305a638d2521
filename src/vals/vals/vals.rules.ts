import type { Instant } from '#engine/lib/time.js';
import { deleteRecord } from '#engine/state/cascades.js';
import { drawId, drawNumber } from '#engine/state/state.js';
import type { Range } from '#engine/store/collection.js';
import { nameTaken, valNotFound } from '#vals/lib/errors.rules.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { Privacy, User, Val, ValType } from '#vals/service/service.collection.js';
import { findUserByName } from '#vals/users/users.collection.js';
import { findValByName, makeVersion } from './val-records.collection.js';

/** Any caller with the id can read public and unlisted vals; only the author can read private ones. */
export const isVisible = (val: Val, caller: User | undefined): boolean =>
  val.privacy !== 'private' || val.authorId === caller?.id;

/** Lists and counts of other users contain public vals only. */
export const isDiscoverable = (val: Val, caller: User | undefined): boolean =>
  val.privacy === 'public' || val.authorId === caller?.id;

/** Returns a val that the caller may read. @throws ApiError 404 */
export function getVisibleVal(state: State, id: string, caller: User | undefined): Val {
  const val = state.vals.get(id.toLowerCase());
  if (!val || !isVisible(val, caller)) throw valNotFound(id);
  return val;
}

/** Returns a val of the caller. @throws ApiError 404, also for a val that the caller may only read */
export function getOwnVal(state: State, id: string, caller: User): Val {
  const val = state.vals.get(id.toLowerCase());
  if (val?.authorId !== caller.id) throw valNotFound(id);
  return val;
}

/** Returns the val of an author and a name that the caller may read. @throws ApiError 404, also for an unknown author */
export function getValByName(state: State, username: string, name: string, caller: User | undefined): Val {
  const handle = username.replace(/^@/, '');
  const author = findUserByName(state, handle);
  const val = author && findValByName(state, author.id, name);
  if (!val || !isVisible(val, caller)) throw valNotFound(`${handle}/${name}`);
  return val;
}

/** Returns the val of a record. Deleting a val deletes its records, so a record without a val is a defect. */
export function getVal(state: State, record: { readonly valId: string }): Val {
  const val = state.vals.get(record.valId);
  if (!val) throw new Error(`no val ${record.valId}`);
  return val;
}

/** Lists the vals of an author, newest first: all for the author, the public ones for other callers. */
export const listVals = (state: State, author: User, caller: User | undefined): Range<Val> =>
  (caller?.id === author.id ? state.vals.by.author : state.vals.by.publicByAuthor).range([author.id]);

/** Selects vals. All conditions must hold. */
export interface ValFilter {
  readonly privacy?: Privacy | undefined;
  readonly authorId?: string | undefined;
  /** Only vals that were created then or before. */
  readonly until?: Instant | undefined;
}

/** Lists the public vals and the caller's, newest first. */
export function* listDiscoverableVals(
  { vals: { by } }: State,
  caller: User | undefined,
  { privacy, authorId, until }: ValFilter,
): Generator<Val> {
  const isSelected = (val: Val) => privacy === undefined || val.privacy === privacy;
  if (authorId !== undefined) {
    const id = authorId.toLowerCase();
    const found = id === caller?.id ? by.author : by.publicByAuthor;
    for (const val of found.range([id], { until })) if (isSelected(val)) yield val;
    return;
  }
  const own = (caller ? by.author.range([caller.id], { until }) : [])[Symbol.iterator]();
  const nextOwn = (): Val | undefined => {
    for (let next = own.next(); !next.done; next = own.next())
      if (next.value.privacy !== 'public' && isSelected(next.value)) return next.value;
    return undefined;
  };
  let hidden = nextOwn();
  for (const val of privacy === undefined || privacy === 'public' ? by.public.range([], { until }) : []) {
    for (; hidden && isNewer(hidden, val); hidden = nextOwn()) yield hidden;
    yield val;
  }
  for (; hidden; hidden = nextOwn()) yield hidden;
}

const isNewer = (a: Val, b: Val): boolean => (a.createdAt - b.createdAt || a.serial - b.serial) > 0;

/** The fields of a val that its author sets directly. Code has versions. */
export interface ValSettings {
  readonly name?: string | undefined;
  readonly privacy?: Privacy | undefined;
  readonly type?: ValType | undefined;
  readonly readme?: string | undefined;
}

/** Creates a val with its first version. @throws ApiError 409 when the author already has a val of this name */
export function createVal(draft: Draft, author: User, settings: ValSettings & { code: string }, now: Instant): Val {
  const isTaken = (name: string) => findValByName(draft, author.id, name) !== undefined;
  if (settings.name !== undefined && isTaken(settings.name)) throw nameTaken(settings.name);
  const name = settings.name ?? generateName(() => drawNumber(draft), isTaken);
  const id = drawId(draft);
  const latest = makeVersion(id, 0, settings.code, now);
  const val: Val = {
    id,
    authorId: author.id,
    name,
    privacy: settings.privacy ?? draft.settings.defaultPrivacy,
    type: settings.type ?? 'script',
    readme: settings.readme ?? null,
    createdAt: now,
    nextVersion: 1,
    latest,
    serial: draft.nextSerial++,
  };
  draft.versions = draft.versions.put(latest);
  draft.vals = draft.vals.put(val);
  return val;
}

/** Changes the given settings and keeps the others. @throws ApiError 409 when another val of the author has the name */
export function updateVal(draft: Draft, val: Val, settings: ValSettings): Val {
  const namesake = settings.name === undefined ? undefined : findValByName(draft, val.authorId, settings.name);
  if (namesake && namesake.id !== val.id) throw nameTaken(namesake.name);
  const updated: Val = {
    ...val,
    name: settings.name ?? val.name,
    privacy: settings.privacy ?? val.privacy,
    type: settings.type ?? val.type,
    readme: settings.readme ?? val.readme,
  };
  draft.vals = draft.vals.put(updated);
  return updated;
}

/** Deletes a val with its versions, runs, likes and comments. Its name becomes free. */
export const deleteVal = (draft: Draft, val: Val): void => deleteRecord(draft, 'vals', val);

/** Adjectives, colors and animals. */
const WORDS = [
  'amiable apt awake brave brisk calm candid cheerful clever cosy curious daring eager earnest fair fearless gentle glad graceful handy honest jolly keen kind light lively lucky mellow merry neat nimble patient plucky polite proud quick quiet sincere steady tidy warm wise witty wonderful',
  'Amber Aqua Azure Beige Blue Bronze Copper Coral Crimson Cyan Emerald Gold Gray Green Indigo Ivory Jade Lime Magenta Maroon Olive Orange Peach Pink Plum Purple Red Salmon Scarlet Silver Tan Teal Violet White Yellow',
  'Badger Bear Beaver Bee Bison Camel Cat Cod Crane Crow Deer Dove Eagle Falcon Ferret Finch Fox Frog Gecko Goat Goose Gorilla Hare Hawk Heron Ibex Jackal Koala Lark Lemur Llama Lynx Marmoset Marten Mole Moose Newt Otter Owl Panda Puffin Quail Raven Robin Scallop Seal Stoat Swan Tiger Toad Turtle Walrus Wren Yak Zebra',
].map((list) => list.split(' '));

/** Draws without a free name after which a number is appended. */
const MAX_DRAWS = 20;

/**
 * Generates a free name in the style of the real service: `aptCoralGorilla`.
 * @param random draws a number from 0 (inclusive) to 1 (exclusive)
 */
export function generateName(random: () => number, isTaken: (name: string) => boolean): string {
  for (let draw = 1; ; draw++) {
    const words = WORDS.map((list) => list[Math.floor(random() * list.length)]);
    const name = words.join('') + (draw > MAX_DRAWS ? String(draw) : '');
    if (!isTaken(name)) return name;
  }
}
