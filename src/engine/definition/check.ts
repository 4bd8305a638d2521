import { type Problem, reasonFor } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import type { Validator } from '../schema/validator.js';
import type { AnyDefinition } from './define.js';

const NAME = /^[a-z][A-Za-z0-9]*$/;
const NAME_EXPECTED = 'a name of letters and digits that begins with a small letter';

/** Finds what Ajv refuses in a schema, which is compiled with the first value. */
export function* checkSchema(validate: Validator<unknown>, path: string): Generator<Problem> {
  try {
    validate(undefined);
  } catch (error) {
    yield { path, message: `expected a JSON Schema: ${reasonFor(error)}.` };
  }
}

/** Finds what is wrong with the collections of a service. @param reserved names of other parts of a state */
export function* checkCollections(all: readonly AnyDefinition[], reserved: readonly string[]): Generator<Problem> {
  const known: string[] = [];
  const adders = new Map<string, string>();
  const callers: string[] = [];
  const credentials: string[] = [];
  for (const { name, adder, references, schema, owner, callers: hooks, credentials: tokens, validate } of all) {
    const path = `collection ${name}`;
    if (!NAME.test(name)) yield { path, message: `expected ${NAME_EXPECTED}.` };
    if (reserved.includes(name))
      yield { path, message: 'the name is taken by a part of each state; expected another one.' };
    if (known.includes(name)) yield { path, message: 'defined twice; expected one of them.' };
    known.push(name);
    for (const [field, { to, orTo = to }] of Object.entries(references)) {
      const at = `${path}.references.${field}`;
      const unknown = [to, orTo].find((target) => !known.includes(target));
      if (unknown !== undefined) {
        const problem = `there is no collection ${formatValue(unknown)} before this one.`;
        yield { path: at, message: problem + didYouMean(unknown, known) };
      }
      if (!(field in schema.properties))
        yield { path: at, message: `there is no such field.${didYouMean(field, Object.keys(schema.properties))}` };
    }
    if (owner !== undefined && !(owner in references)) {
      const message = `found ${formatValue(owner)}; expected a reference.${didYouMean(owner, Object.keys(references))}`;
      yield { path: `${path}.owner`, message };
    }
    const other = adder === undefined ? undefined : adders.get(adder);
    if (other !== undefined)
      yield { path: `${path}.adder`, message: `${formatValue(adder)} is the adder of ${other}; expected another one.` };
    if (adder !== undefined) adders.set(adder, name);
    if (adder !== undefined && !NAME.test(adder))
      yield { path: `${path}.adder`, message: `found ${formatValue(adder)}; expected ${NAME_EXPECTED}.` };
    if (hooks) callers.push(name);
    if (tokens) {
      credentials.push(name);
      if (callers.length === 0)
        yield { path: `${path}.credentials`, message: 'expected a collection with callers before this one.' };
    }
    yield* checkSchema(validate, `${path}.fields`);
  }
  if (callers.length > 1)
    yield { path: 'collections', message: `${callers.join(' and ')} have callers; expected one of them.` };
  if (credentials.length > 1)
    yield { path: 'collections', message: `${credentials.join(' and ')} have credentials; expected one of them.` };
}
