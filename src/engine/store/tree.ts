import type { Steps } from '../lib/steps.js';

/**
 * A persistent, counted B+ tree: an ordered sequence that knows how many entries lie below each node.
 *
 * Nodes never change. A write copies the nodes on one path from the root to a leaf and shares all others, so the earlier
 * tree stays valid. Because of the counts, "how many entries come before" and "the entry at position n" are walks from
 * the root to a leaf as well.
 */

/** Maximum entries in a leaf and children in a branch. Measured by bench/state. */
const MAX_NODE_SIZE = 32;
/** A smaller node is merged with a neighbour. */
const MIN_NODE_SIZE = MAX_NODE_SIZE / 4;
/** Nodes that a step builds. */
const STEP_SIZE = 500;

class Leaf<E> {
  readonly entries: readonly E[];
  readonly children = undefined;
  readonly first: E;
  readonly size: number;

  constructor(entries: readonly E[]) {
    this.entries = entries;
    this.first = itemAt(entries, 0);
    this.size = entries.length;
  }
}

class Branch<E> {
  readonly entries = undefined;
  readonly children: readonly Node<E>[];
  readonly first: E;
  readonly size: number;

  /** @param size total entries below the children, if known */
  constructor(children: readonly Node<E>[], size = sumSizes(children)) {
    this.children = children;
    this.first = itemAt(children, 0).first;
    this.size = size;
  }
}

type Node<E> = Leaf<E> | Branch<E>;

/** Negative when `a` comes before `b`, positive when after, 0 when they have the same position. */
export type Compare<E> = (a: E, b: E) => number;

const leaf = <E>(entries: readonly E[]): Leaf<E> => new Leaf(entries);
const branch = <E>(children: readonly Node<E>[]): Branch<E> => new Branch(children);

function sumSizes<E>(nodes: readonly Node<E>[]): number {
  let size = 0;
  for (const node of nodes) size += node.size;
  return size;
}

/** Counts the leading items that satisfy `holds`. All items that satisfy it must come first. */
function partitionPoint<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(itemAt(items, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no item at index ${index}`);
  return item;
}

export class Tree<E> {
  readonly #compare: Compare<E>;
  readonly #root: Node<E> | undefined;

  private constructor(compare: Compare<E>, root: Node<E> | undefined) {
    this.#compare = compare;
    this.#root = root;
  }

  /** Builds a tree from sorted entries without duplicates. O(n). */
  static *from<E>(compare: Compare<E>, entries: readonly E[]): Steps<Tree<E>> {
    let level: Node<E>[] = yield* chunk(entries, leaf);
    while (level.length > 1) level = yield* chunk(level, branch);
    return new Tree(compare, level[0]);
  }

  get size(): number {
    return this.#root?.size ?? 0;
  }

  /** Counts the entries that satisfy `isBefore`, which must be true for a prefix of the entries and false after it. O(log n). */
  rank(isBefore: (entry: E) => boolean): number {
    let rank = 0;
    let node = this.#root;
    while (node !== undefined) {
      if (node.entries) return rank + partitionPoint(node.entries, isBefore);
      const index = partitionPoint(node.children, (child) => isBefore(child.first)) - 1;
      if (index < 0) return rank;
      for (let i = 0; i < index; i++) rank += itemAt(node.children, i).size;
      node = node.children[index];
    }
    return rank;
  }

  /** Returns the entry at a position, or undefined past either end. O(log n). */
  at(position: number): E | undefined {
    let node = this.#root;
    let rest = position;
    while (node !== undefined) {
      if (node.entries) return node.entries[rest];
      let index = 0;
      for (const child of node.children) {
        if (rest < child.size) break;
        rest -= child.size;
        index++;
      }
      node = node.children[index];
    }
    return undefined;
  }

  /** Returns the first entry that does not satisfy `isBefore`, which must be true for a prefix of the entries and false after it. O(log n). */
  lowerBound(isBefore: (entry: E) => boolean): E | undefined {
    let next: E | undefined;
    let node = this.#root;
    while (node !== undefined) {
      if (node.entries) return node.entries[partitionPoint(node.entries, isBefore)] ?? next;
      const index = partitionPoint(node.children, (child) => isBefore(child.first));
      next = node.children[index]?.first ?? next;
      node = node.children[index - 1];
    }
    return next;
  }

  /** Finds the entry at the position of `entry`. O(log n). */
  find(entry: E): E | undefined {
    const found = this.lowerBound((other) => this.#compare(other, entry) < 0);
    return found !== undefined && this.#compare(found, entry) === 0 ? found : undefined;
  }

  /** Returns the entries from position `start` (inclusive) to `end` (exclusive), in order. O(log n + their number). */
  slice(start: number, end: number): E[] {
    const found: E[] = [];
    if (this.#root) collect(this.#root, start, end, found);
    return found;
  }

  /** Returns the entries added and removed since an `earlier` tree. Costs in proportion to the nodes not shared. */
  diff(earlier: Tree<E>): { readonly added: E[]; readonly removed: E[] } {
    const [added, removed] = this.#root === earlier.#root ? [[], []] : diffNodes(this.#root, earlier.#root);
    return { added, removed };
  }

  /** Returns a tree with `entry`, in place of an entry at the same position. O(log n). */
  insert(entry: E): Tree<E> {
    if (!this.#root) return new Tree(this.#compare, leaf([entry]));
    const nodes = insertInto(this.#root, entry, this.#compare);
    return new Tree(this.#compare, nodes.length === 1 ? nodes[0] : branch(nodes));
  }

  /** Returns a tree without the entry at the position of `entry`, or the same tree if there is none. O(log n). */
  delete(entry: E): Tree<E> {
    return this.deleteAll([entry]);
  }

  /**
   * Returns a tree without the entries at the positions of `entries`, which are sorted, or the same tree if there are none. Each node
   * is copied once.
   * @param removed receives the entries that the tree had
   */
  deleteAll(entries: readonly E[], removed?: E[]): Tree<E> {
    if (!this.#root) return this;
    let root = deleteFrom(this.#root, { entries, compare: this.#compare, removed }, 0, entries.length);
    if (root === this.#root) return this;
    while (root?.children?.length === 1) root = root.children[0];
    return new Tree(this.#compare, root);
  }
}

function collect<E>(node: Node<E>, start: number, end: number, found: E[]): void {
  if (node.entries) {
    for (const entry of node.entries.slice(Math.max(0, start), Math.max(0, end))) found.push(entry);
    return;
  }
  let before = 0;
  for (const child of node.children) {
    if (before >= end) return;
    if (before + child.size > start) collect(child, start - before, end - before, found);
    before += child.size;
  }
}

/** Makes nodes of equal size, each of at most MAX_NODE_SIZE items. */
function* chunk<T, N>(items: readonly T[], make: (run: readonly T[]) => N): Steps<N[]> {
  const count = Math.ceil(items.length / MAX_NODE_SIZE);
  const start = (i: number) => Math.floor((i * items.length) / count);
  const nodes: N[] = [];
  for (let i = 0; i < count; i++) if (nodes.push(make(items.slice(start(i), start(i + 1)))) % STEP_SIZE === 0) yield;
  return nodes;
}

function findChild<E>(children: readonly Node<E>[], entry: E, compare: Compare<E>): number {
  return Math.max(0, partitionPoint(children, (child) => compare(child.first, entry) <= 0) - 1);
}

/** Returns the node with the entry, or the two nodes that it was split into. */
function insertInto<E>(node: Node<E>, entry: E, compare: Compare<E>): Node<E>[] {
  if (!node.children) {
    const index = partitionPoint(node.entries, (other) => compare(other, entry) < 0);
    const existing = node.entries[index];
    const replaced = existing !== undefined && compare(existing, entry) === 0 ? 1 : 0;
    return splitIfFull(node.entries.toSpliced(index, replaced, entry), leaf);
  }
  const index = findChild(node.children, entry, compare);
  const child = itemAt(node.children, index);
  const grown = insertInto(child, entry, compare);
  const children = node.children.toSpliced(index, 1, ...grown);
  if (children.length > MAX_NODE_SIZE) return splitIfFull(children, branch);
  return [new Branch(children, node.size - child.size + sumSizes(grown))];
}

/** Makes one node of the items, or two if they do not fit. */
function splitIfFull<T, N>(items: readonly T[], make: (items: readonly T[]) => N): N[] {
  if (items.length <= MAX_NODE_SIZE) return [make(items)];
  const half = items.length >>> 1;
  return [make(items.slice(0, half)), make(items.slice(half))];
}

interface Deletion<E> {
  /** Sorted. */
  readonly entries: readonly E[];
  readonly compare: Compare<E>;
  readonly removed: E[] | undefined;
}

/** Returns the node without the entries from `start` to `end`: the same node if it has none, undefined if nothing is left. */
function deleteFrom<E>(node: Node<E>, deletion: Deletion<E>, start: number, end: number): Node<E> | undefined {
  return node.children ? deleteFromBranch(node, deletion, start, end) : deleteFromLeaf(node, deletion, start, end);
}

function deleteFromLeaf<E>(node: Leaf<E>, deletion: Deletion<E>, start: number, end: number): Leaf<E> | undefined {
  const { entries, compare, removed } = deletion;
  if (end - start === 1) {
    const entry = itemAt(entries, start);
    const index = partitionPoint(node.entries, (other) => compare(other, entry) < 0);
    const found = node.entries[index];
    if (found === undefined || compare(found, entry) !== 0) return node;
    removed?.push(found);
    return node.size === 1 ? undefined : new Leaf(node.entries.toSpliced(index, 1));
  }
  const kept: E[] = [];
  let index = 0;
  for (let i = start; i < end && index < node.size; i++) {
    const entry = itemAt(entries, i);
    const from = index;
    while (index < node.size && compare(itemAt(node.entries, index), entry) < 0) index++;
    if (from < index) kept.push(...node.entries.slice(from, index));
    const found = node.entries[index];
    if (found === undefined || compare(found, entry) !== 0) continue;
    removed?.push(found);
    index++;
  }
  if (kept.length === index) return node;
  if (index < node.size) kept.push(...node.entries.slice(index));
  return kept.length === 0 ? undefined : new Leaf(kept);
}

function deleteFromBranch<E>(node: Branch<E>, deletion: Deletion<E>, start: number, end: number): Node<E> | undefined {
  const { entries, compare } = deletion;
  const { children } = node;
  const result = children.slice();
  /** Positions of children of which nothing is left. */
  const gone: number[] = [];
  let [size, isUneven] = [node.size, false];
  for (let from = start; from < end; ) {
    const index = findChild(children, itemAt(entries, from), compare);
    const after = children[index + 1];
    let to = from + 1;
    while (to < end && (after === undefined || compare(itemAt(entries, to), after.first) < 0)) to++;
    const child = itemAt(children, index);
    const shrunk = deleteFrom(child, deletion, from, to);
    if (shrunk) result[index] = shrunk;
    else gone.push(index);
    size -= child.size - (shrunk?.size ?? 0);
    isUneven ||= shrunk !== undefined && shrunk !== child && isSmall(shrunk);
    from = to;
  }
  if (size === node.size) return node;
  const left = gone.length === 0 ? result : result.filter((_, index) => !gone.includes(index));
  return size === 0 ? undefined : new Branch(isUneven ? joinSmall(left) : left, size);
}

const isSmall = <E>(node: Node<E>): boolean => (node.entries ?? node.children).length < MIN_NODE_SIZE;

/** Merges small nodes with the node before. */
function joinSmall<E>(nodes: readonly Node<E>[]): Node<E>[] {
  const joined: Node<E>[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (last && (isSmall(last) || isSmall(node))) joined.splice(-1, 1, ...join(last, node));
    else joined.push(node);
  }
  return joined;
}

/** Merges two neighbours, or shares their items out evenly. All leaves have the same depth. */
function join<E>(left: Node<E>, right: Node<E>): Node<E>[] {
  if (left.entries && right.entries) return splitIfFull([...left.entries, ...right.entries], leaf);
  if (left.children && right.children) return splitIfFull([...left.children, ...right.children], branch);
  throw new TypeError('a leaf next to a branch');
}

/** Returns the entries of each tree that the other does not have. Nodes that both have are not entered. */
function diffNodes<E>(a: Node<E> | undefined, b: Node<E> | undefined): [E[], E[]] {
  const [depthOfA, depthOfB] = [getDepth(a), getDepth(b)];
  let nodes = dropShared(a ? [a] : [], b ? [b] : []);
  for (let depth = Math.max(depthOfA, depthOfB); depth > 0; depth--) {
    const [ours, theirs] = nodes;
    nodes = dropShared(depth > depthOfA ? ours : getChildren(ours), depth > depthOfB ? theirs : getChildren(theirs));
  }
  const [ours, theirs] = nodes;
  return dropShared(getEntries(ours), getEntries(theirs));
}

const getChildren = <E>(nodes: readonly Node<E>[]) => concat(nodes, ({ children }) => children);
const getEntries = <E>(nodes: readonly Node<E>[]) => concat(nodes, ({ entries }) => entries);

function concat<N, T>(nodes: readonly N[], select: (node: N) => readonly T[] | undefined): readonly T[] {
  const [first] = nodes;
  if (first !== undefined && nodes.length === 1) return select(first) ?? [];
  return nodes.flatMap((node) => select(node) ?? []);
}

/** Drops the items that are in both lists. */
function dropShared<T>(a: readonly T[], b: readonly T[]): [T[], T[]] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const ours = a.slice(start, a.length - end);
  const theirs = b.slice(start, b.length - end);
  // The first items differ.
  if (ours.length === 0 || theirs.length === 0 || ours.length + theirs.length === 2) return [ours, theirs];
  const [allOurs, allTheirs] = [new Set(ours), new Set(theirs)];
  return [ours.filter((item) => !allTheirs.has(item)), theirs.filter((item) => !allOurs.has(item))];
}

/** Counts the levels of branches above the leaves. */
function getDepth<E>(root: Node<E> | undefined): number {
  let depth = 0;
  for (let node = root; node?.children; node = node.children[0]) depth++;
  return depth;
}
