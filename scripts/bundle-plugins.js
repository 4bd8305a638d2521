// Plugins of the bundles.

import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { minifySync } from 'rolldown/utils';

export const BUILD = resolve(import.meta.dirname, '../build');

/** Returns the path of a module of the build: of `./text.js` from its importer, and of `#engine/lib/text.js`. */
export const toPath = (id, importer = '') =>
  id.startsWith('#') ? join(BUILD, id.slice(1)) : resolve(importer, importer && '..', id);

/** Finds the modules of other rooms in the build (`imports` of package.json). */
export const roomImports = {
  name: 'room-imports',
  resolveId: (id) => (id.startsWith('#') ? toPath(id) : undefined),
};

/** Modules of packages that others take the place of, by the end of their importer and their name. */
const REPLACED = [
  {
    // Measures help for yargs. Compiling its regular expressions costs 60 ms of the 553 ms of processor time of
    // `val-emulator --help` (best of 10 on a busy machine). Our help is plain text.
    importer: /./,
    name: /^string-width$/,
    code: `import { stripVTControlCharacters } from 'node:util';
      export default (text) => stripVTControlCharacters(text).length;`,
  },
  {
    // The validator of the Model Context Protocol, a second Ajv, checks what a server asks of a user. Ours asks nothing.
    importer: /[\\/]@modelcontextprotocol[\\/]server[\\/]/,
    name: /^@modelcontextprotocol\/server\/_shims$/,
    code: `import process from 'node:process';
      export { process };
      export class DefaultJsonSchemaValidator {}`,
  },
  // Configuration files of yargs, which ours are not, can extend others.
  {
    importer: /[\\/]yargs[\\/]/,
    name: /\/apply-extends\.js$/,
    code: 'export const applyExtends = (config) => config;',
  },
  // Help is laid out by it, which few runs print.
  {
    importer: /[\\/]yargs[\\/]/,
    name: /^cliui$/,
    code: "export default (options) => require('cliui').default(options);",
  },
  // yargs asserts values of its own. Loading the module takes 3 ms of a command.
  {
    importer: /[\\/]yargs[\\/]/,
    name: /^assert$/,
    code: 'export const strictEqual = () => {}, notStrictEqual = () => {};',
  },
  // It checks the arguments of its methods, which a compiler has checked here.
  { importer: /[\\/]yargs[\\/]/, name: /\/argsert\.js$/, code: 'export const argsert = () => {};' },
  // Only `recommendCommands` asks for distances. Commands that resemble a wrong one are found without yargs.
  { importer: /[\\/]yargs[\\/]/, name: /\/levenshtein\.js$/, code: 'export const levenshtein = () => Infinity;' },
  // yargs receives the version. It would look for the package.json of the program, which takes 1.4 ms.
  { importer: /[\\/]yargs[\\/]/, name: /^escalade\/sync$/, code: 'export default () => undefined;' },
  // The scripts that `print completion` prints. As an interop of CommonJS, the export is read late.
  {
    importer: /[\\/]yargs[\\/]/,
    name: /\/completion-templates\.js$/,
    code: `for (const shell of ['Sh', 'Zsh', 'Fish']) {
      const name = 'completion' + shell + 'Template';
      Object.defineProperty(exports, name, { enumerable: true, get: () => require('completion-templates')[name] });
    }`,
  },
  // Texts of yargs in other languages.
  {
    importer: /[\\/]yargs[\\/]/,
    name: /^y18n$/,
    code: `import { format } from 'node:util';
      const __n = (one, other, count, ...values) => {
        const text = count === 1 ? one : other;
        return format(text, ...(text.includes('%d') ? [count] : []), ...values);
      };
      export default () => ({ __: format, __n, getLocale: () => 'en', setLocale() {}, updateLocale() {} });`,
  },
  // Bodies are read as bytes, of any type.
  { importer: /[\\/](?:body-parser|raw-body)[\\/]/, name: /^iconv-lite$/, code: '' },
  { importer: /node_modules[\\/]type-is[\\/]/, name: /^mime-types$/, code: '' },
  // Colors of debugging.
  { importer: /[\\/]debug[\\/]/, name: /^supports-color$/, code: '' },
  // Of json-server, the router alone is used.
  { importer: /[\\/]json-server[\\/]lib[\\/]server[\\/]index\.js$/, name: /^\.\/(?:defaults|rewriter)$/, code: '' },
];

const replacements = {
  name: 'replacements',
  resolveId(name, importer = '') {
    const index = REPLACED.findIndex((each) => each.name.test(name) && each.importer.test(importer));
    return index === -1 ? undefined : `\0replacement-${index}`;
  },
  load(id) {
    const [, index] = /^\0replacement-(\d+)$/.exec(id) ?? [];
    return index === undefined ? undefined : REPLACED[index].code;
  },
};

/** Whether a module is of another package. */
export const isPackage = (id) => /[\\/]node_modules[\\/]/.test(id);

/** Minifies packages. The modules of this one keep their names and their lines, for stacks. */
const smallPackages = {
  name: 'small-packages',
  transform: {
    filter: { id: /[\\/]node_modules[\\/].*\.[cm]?js$/ },
    handler(code, id) {
      // By this name proxy-chain knows its errors, and a minified class has another one.
      const named = code.replace('RequestError.name', "'RequestError'");
      // yargs looks for its texts beside its modules, and does without them. On all systems this is an absolute path.
      const placed = named.replaceAll('import.meta.url', "'file:///C:/val-emulator.js'");
      return { code: minifySync(id, placed).code, map: null };
    },
  },
  /** Minifies the chunks that have packages alone, which rolldown has formatted. */
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (!chunk.moduleIds?.every((id) => isPackage(id) || id.startsWith('\0'))) continue;
      chunk.code = minifySync(chunk.fileName, chunk.code).code;
    }
  },
};

/** Makes a bundler see the packages that are loaded late: ES modules have no `require` of their own. */
const lateModules = {
  name: 'late-modules',
  transform: {
    filter: { id: /[\\/]build[\\/].*\.js$/ },
    handler: (code) => ({ code: code.replaceAll('createRequire(import.meta.url)(', 'require('), map: null }),
  },
};

/**
 * Loads a module that another one imports as `lateNAME` by the first use of that name, at once. In the sources, and for the compiler, this
 * is an import like any other.
 */
const lateSurfaces = {
  name: 'late-surfaces',
  transform: {
    filter: { id: /[\\/]build[\\/].*\.js$/, code: /^import \* as late[A-Z]/m },
    handler(code, id) {
      const { body } = this.parse(code);
      const paths = new Map(body.filter(isLate).map(({ specifiers: [{ local }], source }) => [local.name, source.raw]));
      const edits = body.filter(isLate).map(({ start, end }) => ({ start, end, text: '' }));
      for (const { start, end, name, isEarly } of findNames(
        body.filter((each) => !isLate(each)),
        paths,
      )) {
        if (isEarly)
          throw new Error(`${id} uses ${name} while it is loaded, which loads all of it: use it in a function.`);
        edits.push({ start, end, text: `(__late(import(${paths.get(name)})))` });
      }
      return { code: edits.sort((a, b) => b.start - a.start).reduce(replaceRange, code), map: null };
    },
  },
  renderChunk(code, { fileName }) {
    const found = code.replace(
      /__late\(Promise\.resolve\(\)\.then\(\(\) => (require\("[^"]+"\))\)(?:\.then\(\(n\) => n(\.\w+)\))?\)/g,
      (_match, load, part = '') => load + part,
    );
    const [early] = /__late\(.{0,120}/.exec(found) ?? [];
    if (early !== undefined) throw new Error(`${fileName} contains a module that it is to load late: ${early}`);
    return { code: found, map: null };
  },
};

const isLate = ({ type, specifiers }) =>
  type === 'ImportDeclaration' &&
  specifiers[0]?.type === 'ImportNamespaceSpecifier' &&
  /^late[A-Z]/.test(specifiers[0].local.name);

const replaceRange = (code, { start, end, text }) => code.slice(0, start) + text + code.slice(end);

/** Finds the uses of names in a syntax tree, and whether each is early: outside of all functions. */
function* findNames(node, names, isEarly = true) {
  if (Object(node) !== node) return;
  if (node.type === 'Identifier' && names.has(node.name))
    yield { start: node.start, end: node.end, name: node.name, isEarly };
  const isInside = isEarly && !/Function|^PropertyDefinition$/.test(node.type ?? '');
  for (const each of Object.values(node)) yield* findNames(each, names, isInside);
}

/** Keeps the import of the module that a user names. Any other becomes a `require`, which keeps modules by their path. */
const userModules = {
  name: 'user-modules',
  transform: {
    filter: { id: /[\\/]build[\\/]engine[\\/]fixtures[\\/]module\.js$/ },
    handler: (code) => ({ code: code.replace(' import(', " new Function('url', 'return import(url)')("), map: null }),
  },
};

const REQUIRE = new RegExp(`\\brequire\\((["'\`])(node:[a-z\\d_/]+|${builtinModules.join('|')})\\1\\)`, 'g');

/** Loads the modules of Node without `require`, which an ES module has not that a bundler makes of the package. */
const builtIns = {
  name: 'built-ins',
  renderChunk: (code) => ({
    code: code.replace(REQUIRE, (_match, _quote, name) => `globalThis.process.getBuiltinModule("${name}")`),
    map: null,
  }),
};

export const PLUGINS = [roomImports, replacements, smallPackages, lateSurfaces, lateModules, userModules, builtIns];

/** Collects the licenses of the packages that the bundles contain, which ask for it. */
export class Licenses {
  #folders = new Set();

  /** Add it to each build. */
  plugin = {
    name: 'licenses',
    generateBundle: (_options, bundle) => {
      for (const id of Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)) {
        const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/')) ?? [];
        if (folder) this.#folders.add(folder);
      }
    },
  };

  add(folder) {
    this.#folders.add(folder);
  }

  get text() {
    const texts = [...this.#folders].map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      const text = file === undefined ? license : readFileSync(join(folder, file), 'utf8').trim();
      if (!text) throw new Error(`${name} has no license`);
      return `${name} ${version}\n\n${text}\n`;
    });
    return [...new Set(texts)].sort().join(`\n${'-'.repeat(80)}\n\n`);
  }
}
