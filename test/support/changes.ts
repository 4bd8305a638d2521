import type { Change } from '#engine/changes/change.js';
import { formatChange } from '#engine/changes/format.js';

/** Names what a commit changed, as commands and the log do: `+ ada/hello`, `ada/hello: code`. */
export const namesOf = ({ changes }: { readonly changes: readonly Change[] }): string[] => changes.map(formatChange);
