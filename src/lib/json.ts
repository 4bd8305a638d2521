/** Parses JSON. Undefined for text that is not JSON, such as an empty one. */
export function parseJsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
