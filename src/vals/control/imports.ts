import { OptionsError } from '#engine/lib/errors.js';
import { ReferenceResolver } from '#engine/seed/references.js';
import type { ImportTarget } from '../collections/imports.js';
import type { Val } from '../collections/index.js';
import type { State } from '../collections/state.js';
import { findUserByReference, getHandle } from '../collections/users.js';
import { findImported, getAuthor, listImporters } from '../collections/val-records.js';

/** Vals of a graph. */
const MAX_VALS = 500;

interface GraphVal {
  /** Null for an imported val that does not exist. */
  readonly id: string | null;
  readonly author: string;
  readonly name: string;
  readonly type: string | null;
  readonly privacy: string | null;
}

/**
 * Reads the vals of a user, what they import, and what imports them: the own vals first, newest first.
 * @param reference username or id
 * @throws OptionsError for an unknown user
 */
export function readImports(state: State, reference: string) {
  const resolver = new ReferenceResolver(state);
  resolver.find('users', reference, 'user');
  const user = findUserByReference(state, reference);
  if (!user) throw new OptionsError(resolver.problems);
  const graph = new Graph(state);
  const own = [...state.vals.by.author.range([user.id])].filter((val) => graph.add(val) !== undefined);
  for (const val of own) {
    for (const target of val.latest.imports) graph.connect(val, findImported(state, target) ?? target);
    for (const importer of listImporters(state, val)) graph.connect(importer, val);
  }
  return graph.read();
}

/** A val, or the names of one that does not exist. */
type Node = Val | ImportTarget;
const isVal = (node: Node): node is Val => 'id' in node;

class Graph {
  readonly #state: State;
  readonly #indexes = new Map<string, number>();
  readonly #vals: GraphVal[] = [];
  readonly #edges = new Map<string, { from: number; to: number }>();
  #isTruncated = false;

  constructor(state: State) {
    this.#state = state;
  }

  /** Returns the index of a val, undefined for one above the limit. */
  add(node: Node): number | undefined {
    const key = isVal(node) ? node.id : `${node.username}/${node.name}`;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    if (this.#vals.length === MAX_VALS) {
      this.#isTruncated = true;
      return undefined;
    }
    this.#indexes.set(key, this.#vals.length);
    return this.#vals.push(this.#describe(node)) - 1;
  }

  #describe(node: Node): GraphVal {
    if (!isVal(node)) return { id: null, author: node.username, name: node.name, type: null, privacy: null };
    const { id, name, type, privacy } = node;
    return { id, author: getHandle(getAuthor(this.#state, node)), name, type, privacy };
  }

  connect(importer: Node, imported: Node): void {
    const from = this.add(importer);
    const to = this.add(imported);
    if (from !== undefined && to !== undefined) this.#edges.set(`${from}:${to}`, { from, to });
  }

  read() {
    return { vals: this.#vals, imports: [...this.#edges.values()], truncated: this.#isTruncated };
  }
}
