import { OptionsError, type Problem } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';

/** Parses the values of a URL that are JSON. Undefined stays. @throws OptionsError for one that is not JSON */
export function parseJsonTexts(texts: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const problems: Problem[] = [];
  const parsed = Object.entries(texts).map(([path, text]) => {
    try {
      return [path, text === undefined ? undefined : JSON.parse(text)] as const;
    } catch {
      problems.push({ path, message: `found ${formatValue(text)}; expected JSON such as {"name":"report"}.` });
      return [path, undefined] as const;
    }
  });
  if (problems.length > 0) throw new OptionsError(problems);
  return Object.fromEntries(parsed);
}
