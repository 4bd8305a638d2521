/** Marks the end of a part, which may have dots. */
const END = '\0';
/** Where a pattern may end in a path. */
const ENDS = [END, '/', undefined];

/** Tests the parts of a path, such as `users`, `ada` and `bio`. */
export type PathTest = (parts: readonly string[], isField: boolean) => boolean;

/**
 * Makes a test of paths. A pattern, such as `users.ada.bio`, matches a path and all that is below it; `*` stands for any
 * characters. One that begins with `*` and ends with a name, such as `*.updatedAt`, matches paths of fields only. Takes the time
 * of the path at each pattern, whatever the pattern.
 */
export function matchPaths(patterns: readonly string[]): PathTest {
  const all = patterns.map((pattern) => {
    const pieces = pattern.split('*');
    const isOfField = pieces[0] === '' && pieces.at(-1) !== '';
    return { pieces, isOfField, ends: isOfField ? [undefined] : ENDS };
  });
  return (parts, isField) => {
    const [path, marked] = [parts.join('.'), parts.join(END)];
    return all.some(({ pieces, isOfField, ends }) => (isField || !isOfField) && matches(pieces, path, marked, ends));
  };
}

/** Finds the pieces one after another, each where it first occurs: a later place would leave less to the others. */
function matches(
  [first = '', ...others]: readonly string[],
  path: string,
  marked: string,
  ends: readonly (string | undefined)[],
): boolean {
  if (!path.startsWith(first)) return false;
  let end = first.length;
  const last = others.pop();
  if (last === undefined) return ends.includes(marked[end]);
  for (const piece of others) {
    const start = path.indexOf(piece, end);
    if (start < 0) return false;
    end = start + piece.length;
  }
  if (last === '') return true;
  for (let start = path.indexOf(last, end); start >= 0; start = path.indexOf(last, start + 1)) {
    if (ends.includes(marked[start + last.length])) return true;
  }
  return false;
}
