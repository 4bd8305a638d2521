/**
 * A persistent, counted B+ tree: an ordered sequence that knows how many entries lie below each node.
 *
 * No node is ever changed once made. A write copies the nodes on one path from the root to a leaf and shares all the
 * others, so the tree before the write stays whole and costs nothing to keep. The counts make "how many come before"
 * and "the entry at position n" walks from the root to a leaf as well.
 */

/** Entries in a leaf, children in a branch: wide enough to be shallow, narrow enough to copy cheaply (bench/state). */
const WIDTH = 32;
/** A node that shrinks below this is joined with a neighbour. */
const THIN = WIDTH / 4;

/**
 * Nodes are classes, and their arrays have no holes (which `map`, `filter` and `flatMap` may leave): V8 copies such
 * arrays thirty times faster, and puts object literals straight into its old generation once many of them have lasted.
 */
class Leaf<E> {
  readonly entries: readonly E[];
  readonly children = undefined;
  readonly first: E;
  readonly size: number;

  constructor(entries: readonly E[]) {
    this.entries = entries;
    this.first = nth(entries, 0);
    this.size = entries.length;
  }
}

class Branch<E> {
  readonly entries = undefined;
  readonly children: readonly Node<E>[];
  readonly first: E;
  readonly size: number;

  /** @param size what the children hold together, where it is known without looking at each of them */
  constructor(children: readonly Node<E>[], size = sizeOf(children)) {
    this.children = children;
    this.first = nth(children, 0).first;
    this.size = size;
  }
}

type Node<E> = Leaf<E> | Branch<E>;

/** Negative when `a` comes before `b`, positive when after, 0 when they take the same place. */
export type Compare<E> = (a: E, b: E) => number;

const leaf = <E>(entries: readonly E[]): Leaf<E> => new Leaf(entries);
const branch = <E>(children: readonly Node<E>[]): Branch<E> => new Branch(children);

function sizeOf<E>(nodes: readonly Node<E>[]): number {
  let size = 0;
  for (const node of nodes) size += node.size;
  return size;
}

/** How many leading items satisfy `holds`, given that all who do come first. */
function countLeading<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(nth(items, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The item at a place that is known to be taken. */
function nth<T>(items: readonly T[], place: number): T {
  const item = items[place];
  if (item === undefined) throw new RangeError(`no item at ${place}`);
  return item;
}

export class Tree<E> {
  readonly #compare: Compare<E>;
  readonly #root: Node<E> | undefined;

  private constructor(compare: Compare<E>, root: Node<E> | undefined) {
    this.#compare = compare;
    this.#root = root;
  }

  /** Of entries that are in order, no two in the same place. O(n). */
  static from<E>(compare: Compare<E>, entries: readonly E[]): Tree<E> {
    let level: Node<E>[] = grouped(entries, leaf);
    while (level.length > 1) level = grouped(level, branch);
    return new Tree(compare, level[0]);
  }

  get size(): number {
    return this.#root?.size ?? 0;
  }

  /** How many entries satisfy `isBefore`, which must hold for a leading part of the order only. O(log n). */
  rank(isBefore: (entry: E) => boolean): number {
    let rank = 0;
    let node = this.#root;
    while (node !== undefined) {
      if (node.entries) return rank + countLeading(node.entries, isBefore);
      const place = countLeading(node.children, (child) => isBefore(child.first)) - 1;
      if (place < 0) return rank;
      for (let i = 0; i < place; i++) rank += nth(node.children, i).size;
      node = node.children[place];
    }
    return rank;
  }

  /** The entry at a position, or undefined past either end. O(log n). */
  at(position: number): E | undefined {
    let node = this.#root;
    let rest = position;
    while (node !== undefined) {
      if (node.entries) return node.entries[rest];
      let place = 0;
      for (const child of node.children) {
        if (rest < child.size) break;
        rest -= child.size;
        place++;
      }
      node = node.children[place];
    }
    return undefined;
  }

  /** The first entry that does not satisfy `isBefore`, which must hold for a leading part of the order only. O(log n). */
  seek(isBefore: (entry: E) => boolean): E | undefined {
    let next: E | undefined;
    let node = this.#root;
    while (node !== undefined) {
      if (node.entries) return node.entries[countLeading(node.entries, isBefore)] ?? next;
      const place = countLeading(node.children, (child) => isBefore(child.first));
      next = node.children[place]?.first ?? next;
      node = node.children[place - 1];
    }
    return next;
  }

  /** The entry that takes the same place as `entry`. O(log n). */
  find(entry: E): E | undefined {
    const found = this.seek((other) => this.#compare(other, entry) < 0);
    return found !== undefined && this.#compare(found, entry) === 0 ? found : undefined;
  }

  /** Entries from position `start` (inclusive) to `end` (exclusive), in order. O(log n + their number). */
  slice(start: number, end: number): E[] {
    const found: E[] = [];
    if (this.#root) collect(this.#root, start, end, found);
    return found;
  }

  /**
   * What this tree holds and an `earlier` one did not, and the other way round. Costs in proportion to the nodes that
   * the two do not share.
   */
  changesSince(earlier: Tree<E>): { readonly added: E[]; readonly removed: E[] } {
    const [now, then] = entriesNotShared(this.#root, earlier.#root);
    return {
      added: [...now].filter((entry) => !then.has(entry)),
      removed: [...then].filter((entry) => !now.has(entry)),
    };
  }

  /** The tree with `entry` in its place; an entry that held that place is replaced. O(log n). */
  insert(entry: E): Tree<E> {
    if (!this.#root) return new Tree(this.#compare, leaf([entry]));
    const nodes = insertInto(this.#root, entry, this.#compare);
    return new Tree(this.#compare, nodes.length === 1 ? nodes[0] : branch(nodes));
  }

  /** The tree without the entry that takes the place of `entry`; the same tree when there is none. O(log n). */
  delete(entry: E): Tree<E> {
    if (!this.#root) return this;
    const root = deleteFrom(this.#root, entry, this.#compare);
    return root === this.#root ? this : new Tree(this.#compare, root && withoutLoneBranches(root));
  }
}

/** Adds what lies between two positions below `node` to `found`. */
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

/** Nodes made of even runs of at most WIDTH items. */
function grouped<T, N>(items: readonly T[], make: (run: readonly T[]) => N): N[] {
  const count = Math.ceil(items.length / WIDTH);
  const start = (i: number) => Math.floor((i * items.length) / count);
  return Array.from({ length: count }, (_, i) => make(items.slice(start(i), start(i + 1))));
}

/** The child that `entry` lies in or belongs to. */
function childFor<E>(children: readonly Node<E>[], entry: E, compare: Compare<E>): number {
  return Math.max(0, countLeading(children, (child) => compare(child.first, entry) <= 0) - 1);
}

/** One node, or two where it had to be split. */
function insertInto<E>(node: Node<E>, entry: E, compare: Compare<E>): Node<E>[] {
  if (!node.children) {
    const place = countLeading(node.entries, (other) => compare(other, entry) < 0);
    const held = node.entries[place];
    const replaced = held !== undefined && compare(held, entry) === 0 ? 1 : 0;
    return oneOrTwo(node.entries.toSpliced(place, replaced, entry), leaf);
  }
  const place = childFor(node.children, entry, compare);
  const child = nth(node.children, place);
  const grown = insertInto(child, entry, compare);
  const children = node.children.toSpliced(place, 1, ...grown);
  if (children.length > WIDTH) return oneOrTwo(children, branch);
  return [new Branch(children, node.size - child.size + sizeOf(grown))];
}

/** A node of these items, or two where they are too many. */
function oneOrTwo<T, N>(items: readonly T[], make: (items: readonly T[]) => N): N[] {
  if (items.length <= WIDTH) return [make(items)];
  const half = items.length >>> 1;
  return [make(items.slice(0, half)), make(items.slice(half))];
}

/** The node without the entry, the node itself if it was not there, undefined if nothing is left. */
function deleteFrom<E>(node: Node<E>, entry: E, compare: Compare<E>): Node<E> | undefined {
  if (!node.children) {
    const place = countLeading(node.entries, (other) => compare(other, entry) < 0);
    const held = node.entries[place];
    if (held === undefined || compare(held, entry) !== 0) return node;
    return node.size === 1 ? undefined : new Leaf(node.entries.toSpliced(place, 1));
  }
  const place = childFor(node.children, entry, compare);
  const child = nth(node.children, place);
  const shrunk = deleteFrom(child, entry, compare);
  if (shrunk === child) return node;
  const children = withChild(node.children, place, shrunk);
  return children.length === 0 ? undefined : new Branch(children, node.size - 1);
}

/** The children with one of them shrunk; if it became thin, joined with a neighbour; without it if nothing is left. */
function withChild<E>(children: readonly Node<E>[], place: number, shrunk: Node<E> | undefined): Node<E>[] {
  if (shrunk === undefined) return children.toSpliced(place, 1);
  if (width(shrunk) >= THIN || children.length === 1) return children.with(place, shrunk);
  const left = place === 0 ? shrunk : nth(children, place - 1);
  const right = place === 0 ? nth(children, 1) : shrunk;
  return children.toSpliced(Math.max(0, place - 1), 2, ...join(left, right));
}

function width<E>(node: Node<E>): number {
  return node.entries ? node.entries.length : node.children.length;
}

/** Two neighbours as one node, or shared out evenly over two. All leaves lie equally deep, so neighbours are alike. */
function join<E>(left: Node<E>, right: Node<E>): Node<E>[] {
  if (left.entries && right.entries) return oneOrTwo([...left.entries, ...right.entries], leaf);
  if (left.children && right.children) return oneOrTwo([...left.children, ...right.children], branch);
  throw new TypeError('a leaf beside a branch');
}

function withoutLoneBranches<E>(node: Node<E>): Node<E> {
  let root = node;
  while (root.children?.length === 1) root = nth(root.children, 0);
  return root;
}

/** The entries of two trees that lie in nodes of their own. */
function entriesNotShared<E>(a: Node<E> | undefined, b: Node<E> | undefined): [Set<E>, Set<E>] {
  let ours = new Set(a ? [a] : []);
  let theirs = new Set(b ? [b] : []);
  for (;;) {
    const shared = new Set([...ours].filter((node) => theirs.has(node)));
    const depth = Math.max(depthOf(ours), depthOf(theirs));
    ours = opened(ours, shared, depth);
    theirs = opened(theirs, shared, depth);
    if (depth === 0) return [entriesIn(ours), entriesIn(theirs)];
  }
}

/** The nodes without the shared ones; branches of this depth give way to their children. */
const opened = <E>(nodes: Set<Node<E>>, shared: Set<Node<E>>, depth: number): Set<Node<E>> =>
  new Set(
    [...nodes]
      .filter((node) => !shared.has(node))
      .flatMap((node) => (depthOf([node]) === depth ? (node.children ?? node) : node)),
  );

const entriesIn = <E>(nodes: Set<Node<E>>): Set<E> => new Set([...nodes].flatMap((node) => node.entries ?? []));

/** How many branches lie above the leaves; all leaves of a tree lie equally deep. */
function depthOf<E>(nodes: Iterable<Node<E>>): number {
  let depth = 0;
  const [first] = nodes;
  for (let node = first; node?.children; node = node.children[0]) depth++;
  return depth;
}
