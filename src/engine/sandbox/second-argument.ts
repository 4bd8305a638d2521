import { OptionsError } from '../lib/errors.js';
import { isObject } from '../lib/objects.js';

/**
 * Returns the options that follow a name. @param first the name: a method and a path are one, `POST /v1/vals`
 * @throws OptionsError for another value than an object, whose characters would be keys
 */
export function toOptions<O extends object>(options: O, first: string): O {
  if (isObject(options)) return options;
  const hint = String(options).startsWith('/') ? ` Did you mean "${first} ${options}"?` : '';
  const message = `found ${JSON.stringify(options)} after "${first}"; expected an object.${hint}`;
  throw new OptionsError([{ path: '', message }]);
}
