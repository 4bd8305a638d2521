// Compiles the validators of the bundles: their schemas are known at build time, and Ajv takes longer to load and to
// compile them than the rest of a start. `compileValidators` is run on build/, `validatorsPlugin` puts its output in the
// place of build/lib/validator.js.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { _ } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';

const BUILD = resolve(import.meta.dirname, '../build');
const VALIDATOR = join(BUILD, 'lib/validator.js');
const COMPILED = join(BUILD, 'validators');
const MODES = ['wire', 'query', 'strict', 'response'];

/** A command, an error, and helpers that test runners load: they do more than define things, and have no schemas. */
const NOT_IMPORTED = [join(BUILD, 'cli', 'main.js'), join(BUILD, 'browser.js'), join(BUILD, 'testing') + sep];

/** Takes the place of validator.js while the modules are imported. */
const RECORDER = `
export const schemas = [];
export const compile = (id, schema, mode) => {
  schemas.push({ id, schema, mode });
  return () => { throw new Error('This validator is recorded only.'); };
};`;
const HOOKS = `
export const load = (url, context, next) =>
  url === ${JSON.stringify(pathToFileURL(VALIDATOR).href)}
    ? { format: 'module', source: ${JSON.stringify(RECORDER)}, shortCircuit: true }
    : next(url, context);`;

/** Writes build/validators: a module per mode, and the one that finds a validator by its id. */
export async function compileValidators() {
  const { createAjv } = await import(pathToFileURL(join(BUILD, 'lib/ajv.js')).href);
  const schemas = await recordSchemas();
  rmSync(COMPILED, { recursive: true, force: true });
  mkdirSync(COMPILED);
  for (const mode of MODES) {
    writeFileSync(
      join(COMPILED, `${mode}.js`),
      compileModule(
        (options) => createAjv(mode, options),
        schemas.filter((each) => each.mode === mode),
      ),
    );
  }
  writeFileSync(join(COMPILED, 'formats.js'), FORMATS_MODULE);
  writeFileSync(join(COMPILED, 'index.js'), INDEX_MODULE);
  return schemas.length;
}

/** Puts the compiled validators in the place of those that Ajv compiles at run time, and plain schemas in TypeBox's. */
export const validatorsPlugin = {
  name: 'validators',
  resolveId: (id) => (id === 'typebox' ? fileURLToPath(new URL('./plain-schemas.js', import.meta.url)) : undefined),
  load: {
    filter: { id: /[\\/]build[\\/]lib[\\/]validator\.js$/ },
    handler: () => "export { compile } from '../validators/index.js';",
  },
};

/** Imports every module, and returns the schemas that they compile. */
async function recordSchemas() {
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
  for (const file of readdirSync(BUILD, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const path = join(BUILD, file);
    if (NOT_IMPORTED.some((start) => path.startsWith(start)) || path.startsWith(COMPILED)) continue;
    await import(pathToFileURL(path).href);
  }
  const { schemas } = await import(pathToFileURL(VALIDATOR).href);
  const ids = schemas.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new Error(`Two schemas have the id ${JSON.stringify(repeated)}.`);
  return schemas;
}

/** Returns a module that exports \`validators\`, by id. Equal schemas share one. */
function compileModule(createAjv, schemas) {
  const ajv = createAjv({ code: { source: true, esm: true, formats: _`formats` }, inlineRefs: false });
  const keys = new Map();
  const exported = {};
  for (const { schema } of schemas) {
    const text = JSON.stringify(schema);
    if (keys.has(text)) continue;
    const key = `validate_${keys.size}`;
    keys.set(text, key);
    ajv.addSchema(schema, key);
    exported[key] = key;
  }
  const names = schemas.map(({ id, schema }) => `  ${JSON.stringify(id)}: ${keys.get(JSON.stringify(schema))},`);
  return [importRequired(standaloneCode(ajv, exported)), 'export const validators = {', ...names, '};\n'].join('\n');
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
import { FORMATS } from '../lib/formats.js';
export const formats = { ...fullFormats, ...FORMATS };
`;

const INDEX_MODULE = `
${MODES.map((mode) => `import { validators as ${mode} } from './${mode}.js';`).join('\n')}
const validators = { ${MODES.join(', ')} };
export function compile(id, _schema, mode) {
  const validate = validators[mode][id];
  if (!validate) throw new Error(\`The build has compiled no validator \${id}.\`);
  return validate;
}
`;
