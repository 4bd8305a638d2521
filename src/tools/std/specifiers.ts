// Where the code of a module names other modules: in imports, and in the calls by which vitest mocks them.

/** A text in code that names a module. */
export interface Specifier {
  readonly value: string;
  /** Offsets of the text with its quotes. */
  readonly start: number;
  readonly end: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const MOCKING = ['mock', 'doMock', 'unmock', 'doUnmock', 'importActual', 'importMock'];
/** What vitest exports with these methods; with `globals: true` they are global. */
const MOCKERS = ['vi', 'vitest'];

/** Returns the specifiers of a module in their order. @param ast its ESTree */
export function findSpecifiers(ast: unknown): Specifier[] {
  const nodes = listNodes(ast);
  const mockers = new Set([...MOCKERS, ...nodes.filter(isMocker).map(({ local }) => nameOf(local))]);
  const specifiers = nodes.flatMap((node) => readSpecifier(findSource(node, mockers)));
  return specifiers.sort((one, other) => one.start - other.start);
}

/** Returns where a module reads `import.meta.url`. @param ast its ESTree */
export const findMetaUrls = (ast: unknown): Node[] =>
  listNodes(ast).filter(
    ({ type, object, property, computed }) =>
      type === 'MemberExpression' &&
      computed === false &&
      isNode(object) &&
      object.type === 'MetaProperty' &&
      nameOf(property) === 'url',
  );

/** Whether a module reads members of the global object of a name. @param ast its ESTree */
export function readsGlobal(ast: unknown, name: string): boolean {
  const nodes = listNodes(ast);
  const isDeclared = nodes.some(({ id, local }) => nameOf(id) === name || nameOf(local) === name);
  return !isDeclared && nodes.some(({ type, object }) => type === 'MemberExpression' && nameOf(object) === name);
}

/** Without recursion: a sum of ten thousand texts is as deep. */
function listNodes(ast: unknown): Node[] {
  const nodes: Node[] = [];
  const open: unknown[] = [ast];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) for (const each of value) open.push(each);
    else if (isNode(value)) {
      nodes.push(value);
      for (const each of Object.values(value)) if (typeof each === 'object') open.push(each);
    }
  }
  return nodes;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nameOf = (node: unknown): string =>
  isNode(node) && node.type === 'Identifier' && typeof node.name === 'string' ? node.name : '';

/** Whether a node imports `vi`, perhaps under another name. */
const isMocker = ({ type, imported }: Node): boolean =>
  type === 'ImportSpecifier' && MOCKERS.includes(nameOf(imported));

/** Returns the node that names a module. */
function findSource({ type, source, callee, arguments: args }: Node, mockers: ReadonlySet<string>): unknown {
  if (type !== 'CallExpression') return /^(?:Import|Export)/.test(type) ? source : undefined;
  const isMocking =
    isNode(callee) &&
    callee.type === 'MemberExpression' &&
    mockers.has(nameOf(callee.object)) &&
    MOCKING.includes(nameOf(callee.property));
  return isMocking && Array.isArray(args) ? args[0] : undefined;
}

/** Reads a literal, or a template without expressions. Any other expression names no known module. */
function readSpecifier(node: unknown): Specifier[] {
  if (!isNode(node)) return [];
  const { type, start, end, quasis } = node;
  const isTemplate = type === 'TemplateLiteral' && Array.isArray(quasis) && quasis.length === 1;
  const value: unknown = isTemplate ? quasis[0].value.cooked : type === 'Literal' ? node.value : undefined;
  return typeof value === 'string' ? [{ value, start, end }] : [];
}
