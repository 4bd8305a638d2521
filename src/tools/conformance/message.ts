import { parseJsonIfValid } from '#engine/lib/json.js';
import { isObject } from '#engine/lib/objects.js';

/**
 * Reads the response to a JSON-RPC message: the JSON body, or the stream event that has a result or an error.
 * @returns undefined for another text
 */
export function readMessage(text: string): unknown {
  const events = Array.from(text.matchAll(/^data: ?(.*)$/gm), ([, data = '']) => parseJsonIfValid(data));
  const response = events.find((each) => isObject(each) && ('result' in each || 'error' in each));
  return response ?? events[0] ?? parseJsonIfValid(text);
}
