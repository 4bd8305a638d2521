// Compiles the validators of the bundles: their schemas are known at build time, and Ajv takes longer to load and to
// compile them than the rest of a start. `compileValidators` is run on build/. `validatorsPlugin` gives each module that
// imports build/engine/schema/validator.js a module with its own validators, so that a bundle contains only those that it can call.
// Ajv compiles a schema that the build has not seen, such as that of another service.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { _ } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { minifySync } from 'rolldown/utils';
import { BUILD, toPath } from './bundle-plugins.js';
import { toKey } from './compiled-validators.js';

const VALIDATOR = join(BUILD, 'engine/schema/validator.js');
const COMPILED = join(BUILD, 'validators');
const COMPILE = join(import.meta.dirname, 'compiled-validators.js');

/** A command, an error, a thread, modules of vals and helpers that test runners load: they do more than define things, and have no schemas. */
const NOT_IMPORTED = [
  ...['tools/cli/main.js', 'browser.js', 'vals/sqlite/thread/worker.js'].map((name) => join(BUILD, name)),
  join(BUILD, 'tools/testing') + sep,
  join(BUILD, 'tools/std') + sep,
];

/**
 * Takes the place of validator.js while the modules are imported: a copy for each module that imports it, whose name is
 * in the query.
 */
const RECORDER = `
const { searchParams } = new URL(import.meta.url);
export const compile = (schema, mode) => {
  (globalThis.recordedSchemas ??= []).push({ from: searchParams.get('from'), schema, mode });
  return () => { throw new Error('This validator is recorded only.'); };
};`;
const HOOKS = `
const VALIDATOR = ${JSON.stringify(pathToFileURL(VALIDATOR).href)};
export const resolve = async (specifier, context, next) => {
  const resolved = await next(specifier, context);
  if (resolved.url !== VALIDATOR) return resolved;
  return { ...resolved, url: VALIDATOR + '?from=' + encodeURIComponent(context.parentURL) };
};
export const load = (url, context, next) =>
  url.startsWith(VALIDATOR)
    ? { format: 'module', source: ${JSON.stringify(RECORDER)}, shortCircuit: true }
    : next(url, context);`;

/** Annotations that no message contains. */
const ANNOTATIONS = ['title', 'description', 'examples', 'flag', 'conflicts', 'requires'];
/** Keywords whose value maps names to schemas. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions'];

/** Writes build/validators: for each module that compiles schemas, a module per mode and one that finds a validator. */
export async function compileValidators() {
  const { createAjv } = await import(pathToFileURL(join(BUILD, 'engine/schema/ajv.js')).href);
  const schemas = await recordSchemas();
  rmSync(COMPILED, { recursive: true, force: true });
  mkdirSync(COMPILED);
  for (const from of new Set(schemas.map((each) => each.from))) {
    const own = schemas.filter((each) => each.from === from);
    const modes = [...new Set(own.map(({ mode }) => mode))];
    for (const mode of modes) {
      const ofMode = own.filter((each) => each.mode === mode);
      const code = compileModule((options) => createAjv(mode, options), ofMode);
      writeFileSync(join(COMPILED, `${flatName(from)}.${mode}.js`), code);
    }
    writeFileSync(join(COMPILED, `${flatName(from)}.js`), makeIndex(flatName(from), modes));
  }
  writeFileSync(join(COMPILED, 'formats.js'), FORMATS_MODULE);
  return schemas.length;
}

/** Returns the name of a module of validators: `tools-cli-commands-fail` for build/tools/cli/commands/fail.js. */
const flatName = (path) => relative(BUILD, path).replace(/\.js$/, '').replaceAll(sep, '-').replaceAll('.', '-');

/**
 * Puts the compiled validators in the place of those that Ajv compiles at run time, and plain schemas in TypeBox's. They
 * are files of their own, which the bundles load when a value is validated.
 */
export const validatorsPlugin = {
  name: 'validators',
  resolveId(id, importer) {
    if (id === 'typebox') return join(import.meta.dirname, 'plain-schemas.js');
    if (importer?.startsWith(COMPILED) && id !== COMPILE)
      return { id: `../validators/${basename(id)}`, external: true };
    const isValidator = importer?.startsWith(BUILD) && toPath(id, importer) === VALIDATOR;
    return isValidator ? join(COMPILED, `${flatName(importer)}.js`) : undefined;
  },
};

/** The modules of validators, by name. */
export const listValidators = () =>
  Object.fromEntries(
    readdirSync(COMPILED)
      .filter((file) => /\.\w+\.js$/.test(file))
      .map((file) => [file.slice(0, -'.js'.length), join(COMPILED, file)]),
  );

/** Imports every module, and returns the schemas that they compile. */
async function recordSchemas() {
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
  for (const file of readdirSync(BUILD, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const path = join(BUILD, file);
    if (NOT_IMPORTED.some((start) => path.startsWith(start)) || path.startsWith(COMPILED)) continue;
    await import(pathToFileURL(path).href);
  }
  return globalThis.recordedSchemas.map(({ from, schema, mode }) => ({
    ...{ mode, from: fileURLToPath(from), key: toKey(schema), schema: withoutAnnotations(schema) },
  }));
}

function withoutAnnotations(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  const entries = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.includes(keyword));
  return Object.fromEntries(
    entries.map(([keyword, value]) => [
      keyword,
      MAPS.includes(keyword)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutAnnotations(each)]))
        : withoutAnnotations(value),
    ]),
  );
}

/** Returns a module that exports `validators`, by key. Those that differ in annotations only are one. */
function compileModule(createAjv, schemas) {
  const ajv = createAjv({ code: { source: true, esm: true, formats: _`formats` }, inlineRefs: false });
  const functions = new Map();
  const exported = {};
  for (const { schema } of schemas) {
    const text = JSON.stringify(schema);
    if (functions.has(text)) continue;
    const name = `validate_${functions.size}`;
    functions.set(text, name);
    ajv.addSchema(schema, name);
    exported[name] = name;
  }
  const named = new Map(schemas.map(({ key, schema }) => [key, functions.get(JSON.stringify(schema))]));
  const names = Array.from(named, ([key, name]) => `  ${JSON.stringify(key)}: ${name},`);
  const code = [importRequired(standaloneCode(ajv, exported)), 'export const validators = {', ...names, '};'].join(
    '\n',
  );
  return minifySync('validators.js', code, { module: true }).code;
}

/** Ajv writes \`require\` in ES modules too: https://github.com/ajv-validator/ajv/issues/2209 */
function importRequired(code) {
  const imports = new Map();
  const body = code.replace(/require\("([^"]+)"\)/g, (_match, name) => {
    if (!imports.has(name)) imports.set(name, `required${imports.size}`);
    return imports.get(name);
  });
  const lines = [...imports].map(([name, local]) => `import ${local} from ${JSON.stringify(`${name}.js`)};`);
  return [...lines, "import { formats } from './formats.js';", body.replace('"use strict";', '')].join('\n');
}

const FORMATS_MODULE = `
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { FORMATS } from '../engine/lib/time.js';
export const formats = { ...fullFormats, ...FORMATS };
`;

/** Returns a module that loads the validators of a mode when the first of them is called, as `build/engine/schema/validator.js` compiles. */
const makeIndex = (name, modes) => `
import { makeCompile } from ${JSON.stringify(COMPILE)};
export const compile = makeCompile({ ${modes.map((mode) => `${mode}: () => require('./${name}.${mode}.cjs')`).join(', ')} });
`;
