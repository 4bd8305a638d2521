// Takes the place of TypeBox in the bundles. There the validators are compiled already, so that a schema is only read:
// TypeBox itself (120 kB minified) takes a tenth of the time of a start. A test compares the two.

const OPTIONAL = Symbol('optional');

const Unsafe = (schema) => schema;
const Unknown = (options) => ({ ...options });
const simple = (type) => (options) => ({ type, ...options });
const Optional = (schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true });

const PlainObject = (properties, options) => {
  const required = Object.keys(properties).filter((key) => !properties[key][OPTIONAL]);
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
};

export const Type = {
  Array: (items, options) => ({ type: 'array', items, ...options }),
  Boolean: simple('boolean'),
  Enum: (values, options) => ({ enum: values, ...options }),
  Integer: simple('integer'),
  Literal: (value, options) => ({ type: typeof value, const: value, ...options }),
  Null: simple('null'),
  Number: simple('number'),
  Object: PlainObject,
  Optional,
  String: simple('string'),
  Tuple: (items, options) => ({ type: 'array', additionalItems: false, items, minItems: items.length, ...options }),
  Union: (anyOf, options) => ({ anyOf, ...options }),
  Unknown,
  Unsafe,
  Void: simple('void'),
};
