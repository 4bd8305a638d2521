/** Parses JSON. Undefined for a text that is none, such as an empty one. */
export function parseJsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
