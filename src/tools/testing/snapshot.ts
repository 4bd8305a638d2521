import { isObject } from '#engine/lib/objects.js';

type Print<C, R> = (value: unknown, config: C, indentation: string, depth: number, refs: R) => string;

/** Texts that differ between two runs, and their replacements: addresses with sandboxes, timestamps, dates of headers. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/(?:https?:\/\/)?(?:127\.0\.0\.1|localhost|\[::1\]):\d+(?:\/_sandbox\/[\w.-]+)?/g, '<emulator>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, '<time>'],
];

/** Replaces what differs between two runs. Returns any other value unchanged. */
function stabilize(value: unknown): unknown {
  if (typeof value === 'string') {
    return REPLACEMENTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value);
  }
  const isTimed = isObject(value) && 'outcome' in value && typeof value.duration === 'number';
  return isTimed ? { ...value, duration: '<duration>' } : value;
}

/**
 * A snapshot serializer of vitest and Jest: `expect.addSnapshotSerializer(snapshotSerializer)`. In responses and recorded
 * requests it replaces the address of the emulator with the sandbox by `<emulator>`, times by `<time>`, and durations by
 * `<duration>`.
 */
export const snapshotSerializer = {
  test: (value: unknown): boolean => stabilize(value) !== value,
  serialize: <C, R>(
    value: unknown,
    config: C,
    indentation: string,
    depth: number,
    refs: R,
    print: Print<C, R>,
  ): string => print(stabilize(value), config, indentation, depth, refs),
};
