/** Splits a text such as `parents: A file has parents` into its id and the rest. A text without an id has an empty id. */
export function splitId(text: string): readonly [id: string, rest: string] {
  const [prefix = '', id = ''] = /^([a-z][\w-]*): /.exec(text) ?? [];
  return [id, text.slice(prefix.length)];
}
