// Takes the place of build/engine/schema/validator.js in the bundles, where most validators are compiled already.

import { createHash } from 'node:crypto';

/** Returns the key of a schema among those that the build has compiled. */
export const toKey = (schema) => createHash('sha1').update(JSON.stringify(schema, omitDescription)).digest('base64url');

/** The bundles have no descriptions of routes. */
const omitDescription = (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value);

/** @param load loads the validators of each mode */
export const makeCompile = (load) => (schema, mode) => {
  let compiled;
  const validate = (value) => {
    compiled ??=
      load[mode]?.().validators[toKey(schema)] ??
      require('../build/engine/schema/ajv.js').createAjv(mode).compile(schema);
    const isValid = compiled(value);
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  return validate;
};
