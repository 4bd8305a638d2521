import { isDeepStrictEqual } from 'node:util';
import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser';
import type { Fields } from '../definition/context.js';
import { FixtureError } from '../lib/errors.js';
import { finish } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import type { State } from '../state/state.js';
import { KeptContents } from './contents.js';
import { exportState } from './export.js';
import { loadFixtures } from './load.js';
import { type RawFixtures, readFixtureText } from './read.js';
import { BriefWriter } from './rows.js';

/** The path of an element. A record inside one has a longer path, such as `projects[0].env.KEY`. */
const ELEMENT = /^[^.[]+\[\d+\]$/;

/** The records of a collection, in fixture format, by their ids. */
type Rows = ReadonlyMap<string, Fields>;

export interface WrittenBack {
  readonly text: string;
  /** Folders that the text no longer names: the files of their records have changed. */
  readonly unlinked: readonly string[];
}

/**
 * Writes the records of a state into the text of the fixture file that it began with. Records that nothing changed keep their
 * text, byte for byte, as do comments and `$schema`. Times count from the load, as in the kept text; a time since then is
 * written as `+0s`, or the next load would move it before times of the file.
 * @param now the current time of the clock
 * @param kept the files and folders that the text names, as they were loaded: since then they may have changed
 */
export function writeBack(
  text: string,
  path: string,
  state: State,
  now: Instant,
  kept = new KeptContents(),
): WrittenBack {
  const { definitions, settings, loadedAt } = state;
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const json = text.slice(mark.length);
  const load = (raw: RawFixtures) => {
    const ids = new Map<string, string>();
    // The path of a file may have spaces, and the path of a record has none.
    const onRecord = (at: string, id: string) => ids.set(at.slice(at.lastIndexOf(' ') + 1), id);
    return { ids, ...finish(loadFixtures(raw, { definitions, settings }, loadedAt, { onRecord })) };
  };
  const read = (source: string) => readFixtureText(source, path, definitions, undefined, kept);
  const raw = read(json);
  const loaded = load(raw);
  const toRows = (from: State) => {
    const lists = finish(new BriefWriter(from, loadedAt, loaded.loadAgain !== undefined, now).write());
    // Which record a row is follows from its load.
    const again = load(read(JSON.stringify(lists)));
    const index = (name: string): Rows =>
      new Map(lists[name]?.map((row, i) => [again.ids.get(`${name}[${i}]`) ?? '', row]));
    const byName = new Map(definitions.names.map((name) => [name, index(name)]));
    return { state: again.state, of: (name: string): Rows => byName.get(name) ?? new Map() };
  };
  const before = toRows(loaded.state);
  const after = toRows(state);
  const isKept = (name: string, id: string) =>
    JSON.stringify(before.of(name).get(id)) === JSON.stringify(after.of(name).get(id));
  /** Ids of elements with records inside, which keep their text but for the keys that changed. */
  const edited = new Set<string>();
  /** Writes what changed inside of elements. A changed variable becomes an element itself. */
  const editElements = (): string => {
    const tree = parseTree(json, [], { allowTrailingComma: true });
    const edits: { at: JSONPath; value?: unknown; offset: number }[] = [];
    const find = (at: JSONPath) => tree && findNodeAtLocation(tree, at);
    const edit = (at: JSONPath, value?: unknown) => {
      const node = find(at);
      if (node || value !== undefined) edits.push({ at, value, offset: node?.offset ?? 0 });
    };
    for (const [at, id] of loaded.ids) {
      const changed = definitions.all.find(({ name }) => before.of(name).has(id) && !isKept(name, id));
      if (!changed) continue;
      const path = parsePath(at);
      const [old, row] = [before.of(changed.name).get(id), after.of(changed.name).get(id)];
      const isInline = !ELEMENT.test(at);
      // The element of an inner array has the keys of a row. The value of a key, such as a variable, has not.
      if (isInline && (!row || !at.endsWith(']'))) {
        edit(path);
        continue;
      }
      const holds = isInline || (changed.folders && changed.unwritten?.some((key) => find([...path, key])));
      if (!holds || !old || !row) continue;
      edited.add(id);
      for (const key of Object.keys({ ...old, ...row }))
        if (!isDeepStrictEqual(old[key], row[key])) edit([...path, key], row[key]);
    }
    // From the last one to the first, since an element that goes moves those after it.
    return edits.sort((a, b) => b.offset - a.offset).reduce((text, { at, value }) => editJson(text, at, value), json);
  };
  const write = (keeps: boolean): string => {
    const edits = new JsonEdits(keeps ? editElements() : json);
    for (const name of definitions.names) {
      const [old, rows] = [before.of(name), after.of(name)];
      // Its records may follow from those of another collection.
      if (keeps && JSON.stringify([...old]) === JSON.stringify([...rows])) continue;
      const isSameRow = (id: string) => keeps && (edited.has(id) || isKept(name, id));
      const ofElements = new Set(
        [...loaded.ids].flatMap(([at, id]) => (ELEMENT.test(at) && at.startsWith(`${name}[`) ? [id] : [])),
      );
      // The record of another collection may have some inline, which stay there.
      const items = new Map([...rows].filter(([id]) => ofElements.has(id) || !isSameRow(id)));
      edits.setArray(name, items, (index) => {
        const id = keeps ? (loaded.ids.get(`${name}[${index}]`) ?? '') : '';
        return { id, isKept: isSameRow(id) };
      });
    }
    return mark + edits.apply();
  };
  const brief = write(true);
  // A kept text may mean something else next to new records, such as a version without a number.
  const written = isSame(brief) ? brief : write(false);
  const named = new Set(listFolders(read(written.slice(mark.length))));
  return { text: written, unlinked: listFolders(raw).filter((folder) => !named.has(folder)) };

  function isSame(written: string): boolean {
    try {
      const { state: reloaded } = load(read(written.slice(mark.length)));
      return JSON.stringify(exportState(reloaded, true)) === JSON.stringify(exportState(after.state, true));
    } catch (error) {
      if (error instanceof FixtureError) return false;
      throw error;
    }
  }
}

const listFolders = ({ folders = [] }: RawFixtures): string[] => folders.map(({ path }) => path);

/** Splits a path such as `projects[0].env.KEY`. */
const parsePath = (path: string): JSONPath =>
  Array.from(path.matchAll(/\[(\d+)\]|[^.[]+/g), ([text, index]) => (index === undefined ? text : Number(index)));

/** Sets a value in JSON with comments. Undefined removes what is there. */
function editJson(text: string, at: JSONPath, value: unknown): string {
  const edits = modify(text, at, value, {});
  const [{ offset } = { offset: 0 }] = edits;
  const edited = applyEdits(text, edits);
  // A comma may follow the only property of an object, and none may follow the brace.
  const [comma = ''] = (/[[{]\s*$/.test(edited.slice(0, offset)) && /^\s*,/.exec(edited.slice(offset))) || [];
  return edited.slice(0, offset) + edited.slice(offset + comma.length);
}

/** Edits of the arrays in an object of JSON, which may have comments. */
class JsonEdits {
  readonly #text: string;
  readonly #properties: readonly Node[];
  readonly #edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#properties = parseTree(text, [], { allowTrailingComma: true })?.children ?? [];
  }

  /**
   * Sets the items of an array, one of which each element may be or become.
   * @param items by id. Items without an element are added at the end
   * @param find returns the id of an element, and whether its text stays. An element without an item is removed
   */
  setArray(
    name: string,
    items: ReadonlyMap<string, object>,
    find: (index: number) => { readonly id: string; readonly isKept: boolean },
  ): void {
    const property = this.#properties.find(({ children: [key] = [] }) => key?.value === name);
    const indent = this.#indentOf(property ?? this.#properties[0]) ?? '  ';
    const [, array] = property?.children ?? [];
    const text = this.#writeArray(array, indent, items, find);
    const last = this.#properties.at(-1);
    const end = last ? endOf(last) : this.#text.indexOf('{') + 1;
    const isFirst = !last && !this.#edits.some(({ start }) => start === end);
    if (array) this.#edits.push({ start: array.offset, end: endOf(array), text });
    else if (items.size > 0)
      this.#edits.push({ start: end, end, text: `${isFirst ? '' : ','}\n${indent}"${name}": ${text}` });
  }

  apply(): string {
    let [written, end] = ['', 0];
    for (const edit of this.#edits.toSorted((a, b) => a.start - b.start)) {
      written += this.#text.slice(end, edit.start) + edit.text;
      end = edit.end;
    }
    return written + this.#text.slice(end);
  }

  #writeArray(
    array: Node | undefined,
    indent: string,
    items: ReadonlyMap<string, object>,
    find: Parameters<JsonEdits['setArray']>[2],
  ): string {
    const elements = array?.children ?? [];
    const [first] = elements;
    const missing = new Map(items);
    const written: string[] = [];
    // Each element with the text before it.
    const opening = first && array ? this.#text.slice(array.offset + 1, first.offset) : `\n${indent}  `;
    const [line = ''] = /\r?\n[ \t]*$/.exec(opening) ?? [];
    /** Writes an item on one line or on several, as another element is written. */
    const format = (item: object, like: Node | undefined): string => {
      const isOnLines = like !== undefined && this.#text.slice(like.offset, endOf(like)).includes('\n');
      return isOnLines ? JSON.stringify(item, null, 2).replaceAll('\n', line || '\n') : JSON.stringify(item);
    };
    let end = array ? array.offset + 1 : 0;
    for (const [index, element] of elements.entries()) {
      const before = this.#text.slice(end, element.offset);
      end = endOf(element);
      const { id, isKept } = find(index);
      const item = missing.get(id);
      missing.delete(id);
      if (!item && !isKept) continue;
      const text = isKept || !item ? this.#text.slice(element.offset, end) : format(item, element);
      written.push((written.length === 0 ? opening : before) + text);
    }
    for (const item of missing.values())
      written.push((written.length === 0 ? opening : `,${line || ' '}`) + format(item, elements.at(-1)));
    const closing = first && array ? this.#text.slice(end, endOf(array) - 1) : '';
    if (written.length === 0) return '[]';
    return `[${written.join('')}${first ? closing : `\n${indent}`}]`;
  }

  /** Returns the white space before a node that begins a line. */
  #indentOf(node: Node | undefined): string | undefined {
    return node && /\n([ \t]*)$/.exec(this.#text.slice(0, node.offset))?.[1];
  }
}

const endOf = ({ offset, length }: Node): number => offset + length;
