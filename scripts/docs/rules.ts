import type { Rules } from '#engine/api/route.js';
import { splitId } from '#tools/conformance/split-id.js';

const SOURCES: readonly (readonly [keyof Rules, string])[] = [
  ['specification', 'From the specification'],
  ['record', 'From the public record of the service'],
  ['chosen', 'Chosen by this project, where no source says'],
];

/** Describes the rules by their source, without ids, as Markdown. */
export const describeRules = (rules: Rules): string =>
  SOURCES.flatMap(([source, title]) => {
    const sentences = rules[source] ?? [];
    return sentences.length === 0
      ? []
      : [`**${title}**\n\n${sentences.map((rule) => `- ${splitId(rule)[1]}`).join('\n')}`];
  }).join('\n\n');
