/** Returns the name of one record of a collection: `val`, `branch`. */
export const toNoun = (collection: string): string => collection.replace(/(?<=ch|sh|x)es$|s$/, '');

/** The field for the id of a record that a reference names: `userId`. */
export const toIdField = (collection: string): string => `${toNoun(collection)}Id`;
