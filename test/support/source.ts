import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from '@typescript/typescript6';

/** A module of src. */
export interface Module {
  /** Path in src, without the ending: `store/tree`. */
  readonly name: string;
  readonly source: ts.SourceFile;
  /** Modules of src and packages that it imports, types included. */
  readonly imports: readonly Import[];
}

interface Import {
  readonly name: string;
  readonly isLocal: boolean;
  /** `type`: gone at run time. `late`: by a call of `import()`, or of the `require` of `createRequire`. */
  readonly kind: 'static' | 'type' | 'late';
}

const SRC = resolve(import.meta.dirname, '../../src');

export const readModules = (folder = SRC): Module[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.[jt]sx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => file.split(sep).join('/'))
    .sort()
    .map((file) => {
      const [, name = '', ending = ''] = /^(.*)(\.[jt]sx?)$/.exec(file) ?? [];
      return parseModule(name, readFileSync(join(folder, file), 'utf8'), ending);
    });

/** @param ending of its file, by which JSX is allowed */
export function parseModule(name: string, text: string, ending = '.ts'): Module {
  const source = ts.createSourceFile(name + ending, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const found = readImport(node);
    if (found) {
      const isLocal = /^[.#]/.test(found.specifier);
      imports.push({ name: isLocal ? resolveName(name, found.specifier) : found.specifier, isLocal, kind: found.kind });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { name, source, imports };
}

const resolveName = (from: string, specifier: string): string =>
  relative('/', specifier.startsWith('#') ? `/${specifier.slice(1)}` : resolve('/', dirname(from), specifier))
    .split(sep)
    .join('/')
    .replace(/\.js$/, '');

function readImport(node: ts.Node): { readonly specifier: string; readonly kind: Import['kind'] } | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, kind: isTypeImport(node) ? 'type' : 'static' };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, kind: node.isTypeOnly ? 'type' : 'static' };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, kind: 'type' };
  }
  if (!ts.isCallExpression(node)) return undefined;
  const [argument] = node.arguments;
  if (!argument || !ts.isStringLiteral(argument)) return undefined;
  const isRequire = ts.isCallExpression(node.expression) && node.expression.expression.getText() === 'createRequire';
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport || isRequire ? { specifier: argument.text, kind: 'late' } : undefined;
}

function isTypeImport({ importClause }: ts.ImportDeclaration): boolean {
  if (!importClause) return false;
  if (importClause.isTypeOnly) return true;
  const { name, namedBindings } = importClause;
  const isNamed = namedBindings !== undefined && ts.isNamedImports(namedBindings);
  return !name && isNamed && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** Finds the first cycle of imports, types included: `['a', 'b', 'a']`. */
export function findCycle(modules: readonly Module[]): string[] | undefined {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const finished = new Set<string>();
  const visit = (name: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (finished.has(name)) return undefined;
    for (const { name: imported, isLocal } of byName.get(name)?.imports ?? []) {
      const cycle = isLocal ? visit(imported, [...path, name]) : undefined;
      if (cycle) return cycle;
    }
    finished.add(name);
    return undefined;
  };
  for (const { name } of modules) {
    const cycle = visit(name, []);
    if (cycle) return cycle;
  }
  return undefined;
}

const CONTAINERS = ['Array', 'Map', 'Set', 'WeakMap', 'WeakSet'];
const MUTATORS = /^(?:add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)$/;
const MUTATING_STATICS = /^(?:Object\.(?:assign|defineProperty|defineProperties|setPrototypeOf)|Reflect\.\w+)$/;
/** `onceFor` keeps what an object alone decides, by its identity. */
const MEMOIZERS = /memo|once(?!For$)|cache/i;
const READONLY_TYPE = /^(?:Readonly\w*<|readonly )/;

/**
 * Finds state in the scope of a module, where all emulators of a process would share it:
 * - `let` and `var`;
 * - static fields of classes without `readonly`;
 * - containers (`new Map()`, `new Set()`, `[]`, `{}`, …) that begin empty, unless their type is read-only;
 * - containers that the module changes, or a module that imports them;
 * - instances of classes of ours, and the results of functions that memoize.
 */
export function findModuleState(module: Module, modules: readonly Module[] = [module]): string[] {
  const { name: file, source } = module;
  const importers = modules.filter(({ imports }) => imports.some(({ name }) => name === file));
  const sources = [module, ...importers].map((each) => each.source);
  const found: string[] = [];
  const report = (node: ts.Node, what: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file}:${line + 1} ${what}`);
  };
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      if (!(statement.declarationList.flags & ts.NodeFlags.Const)) report(statement, 'is a variable');
      for (const { name, type, initializer } of statement.declarationList.declarations) {
        const problem = initializer && findStateOfConstant(sources, name.getText(), type, initializer);
        if (problem) report(name, `${name.getText()} ${problem}`);
      }
    }
    if (ts.isClassDeclaration(statement)) {
      for (const member of statement.members.filter(ts.isPropertyDeclaration)) {
        const modifiers = member.modifiers?.map(({ kind }) => kind) ?? [];
        if (!modifiers.includes(ts.SyntaxKind.StaticKeyword)) continue;
        const name = member.name.getText();
        if (!modifiers.includes(ts.SyntaxKind.ReadonlyKeyword)) report(member, `${name} is a variable`);
        const path = `${statement.name?.text}.${name}`;
        const problem = member.initializer && findStateOfConstant(sources, path, member.type, member.initializer);
        if (problem) report(member, `${name} ${problem}`);
      }
    }
  }
  return found;
}

function findStateOfConstant(
  sources: readonly ts.SourceFile[],
  name: string,
  type: ts.TypeNode | undefined,
  initializer: ts.Expression,
): string | undefined {
  const value = unwrap(initializer);
  if (ts.isNewExpression(value) && !CONTAINERS.includes(value.expression.getText())) {
    const [root = ''] = value.expression.getText().split('.');
    return root in globalThis ? undefined : `is an instance of ${root}`;
  }
  if (ts.isCallExpression(value)) {
    const callee = value.expression.getText();
    return MEMOIZERS.test(callee) ? `is memoized by ${callee}` : undefined;
  }
  if (!isContainer(value)) return undefined;
  const isTyped = type !== undefined && READONLY_TYPE.test(type.getText());
  if (isEmpty(value) && !isTyped) return 'begins empty';
  return sources.some((source) => isMutated(source, name)) ? 'is changed' : undefined;
}

/** Removes parentheses and casts. */
const unwrap = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node) || ts.isAsExpression(node)
    ? unwrap(node.expression)
    : node;

const isContainer = (node: ts.Expression): boolean =>
  ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node) || ts.isNewExpression(node);

function isEmpty(node: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0;
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0;
  return ts.isNewExpression(node) && (node.arguments ?? []).length === 0;
}

/** Whether a module changes an object, or anything in it. */
function isMutated(source: ts.SourceFile, name: string): boolean {
  const isIn = (node: ts.Expression): boolean => {
    if (node.getText() === name) return true;
    const isAccess = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
    return (isAccess || ts.isNonNullExpression(node)) && isIn(node.expression);
  };
  const isChange = (node: ts.Node): boolean => {
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
      return isAssignment && isIn(node.left);
    }
    if (ts.isDeleteExpression(node)) return isIn(node.expression);
    if (ts.isPostfixUnaryExpression(node)) return isIn(node.operand);
    if (ts.isPrefixUnaryExpression(node)) {
      const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind;
      return [PlusPlusToken, MinusMinusToken].some((kind) => kind === node.operator) && isIn(node.operand);
    }
    if (!ts.isCallExpression(node)) return false;
    const [target] = node.arguments;
    if (MUTATING_STATICS.test(node.expression.getText())) return target !== undefined && isIn(target);
    const { expression } = node;
    return (
      ts.isPropertyAccessExpression(expression) && MUTATORS.test(expression.name.text) && isIn(expression.expression)
    );
  };
  const visit = (node: ts.Node): boolean => isChange(node) || (ts.forEachChild(node, visit) ?? false);
  return visit(source);
}
