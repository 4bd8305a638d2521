import type { Node } from 'jsonc-parser';
import { findJsonError } from '../../../../src/engine/fixtures/json-error.js';
import type { Problem } from '../../../../src/engine/lib/errors.js';

/** A problem and the place in the text that it is about. */
export interface LocatedProblem {
  /** From 1. */
  readonly line: number;
  /** Index of the first character in the text. */
  readonly offset: number;
  readonly length: number;
  /** The path within the record; empty for the record as a whole. */
  readonly path: string;
  readonly message: string;
}

// Loaded with the first problem.
const loadParser = () => import('jsonc-parser');

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Parses the text of a record. Returns the problem of a text that is no JSON object in its place. */
export async function parseRecord(text: string): Promise<Readonly<Record<string, unknown>> | LocatedProblem> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
    return { line: 1, offset: 0, length: text.length, path: '', message: 'expected an object: { "field": value, … }.' };
  } catch {
    const { line, column, message } = findJsonError(text, await loadParser());
    const lines = text.split('\n');
    const offset = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    return { line, offset, length: Math.max(1, (lines[line - 1]?.length ?? 0) - column + 1), path: '', message };
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds the places of problems in the text of a record. A missing field is a problem of the object that lacks it. */
export async function locateProblems(text: string, problems: readonly Problem[]): Promise<readonly LocatedProblem[]> {
  const { parseTree } = await loadParser();
  const root = parseTree(text);
  return problems.map(({ path, message }) => {
    const rest = path.replace(/^[^.[]*\.?/, '');
    const node = root && findNode(root, rest);
    // An object is marked at its first line only.
    const isWhole = node === undefined || node === root;
    const offset = node?.offset ?? 0;
    return { line: lineOf(text, offset), offset, length: isWhole ? 1 : node.length, path: rest, message };
  });
}

/** Finds the innermost value that a path leads to: `logs[0].message`. Keys may contain dots. */
function findNode(node: Node, path: string): Node {
  const next = (node.children ?? []).flatMap((child, index): { found: Node; value: Node; step: string }[] => {
    if (node.type === 'array') return [{ found: child, value: child, step: `[${index}]` }];
    const [key, value] = child.children ?? [];
    return key && value ? [{ found: child, value, step: String(key.value) }] : [];
  });
  const [best] = next
    .filter(({ step }) => path.startsWith(step) && /^($|[.[])/.test(path.slice(step.length)))
    .sort((a, b) => b.step.length - a.step.length);
  if (!best) return node;
  const rest = path.slice(best.step.length).replace(/^\./, '');
  const inner = rest === '' ? best.value : findNode(best.value, rest);
  // A property is marked from its key.
  return inner === best.value ? best.found : inner;
}
