import type { ComponentChildren } from 'preact';

/** Characters that show nothing, or that change the direction of the text behind them: control, format and separator characters. */
export const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const PARTS = new RegExp(`(${INVISIBLE.source})`, 'u');

/** Names a character: `U+202E`. */
export const nameCharacter = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/** Shows a text with the names of its invisible characters in their place. The carriage return of a line end is none. */
export function visible(text: string): ComponentChildren {
  const parts = text.split(PARTS);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 || (part === '\r' && parts[index + 1]?.startsWith('\n')) ? (
      part
    ) : (
      <mark key={index} class="invisible" title="A character that does not show">
        {nameCharacter(part.codePointAt(0) ?? 0)}
      </mark>
    ),
  );
}
