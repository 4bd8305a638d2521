/** Finds what a table has under a text of a person or a program: not what every object has, such as `constructor`. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
