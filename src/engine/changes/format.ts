import type { ChangeType } from './changed-record.js';

/** Names a changed record: `+ ada/hello`, `- ada`, `ada/hello: code, privacy`. */
export const formatChange = (change: {
  readonly type: ChangeType;
  readonly name: string;
  readonly fields?: readonly string[];
}): string =>
  change.type === 'changed'
    ? `${change.name}: ${change.fields?.join(', ')}`
    : `${change.type === 'added' ? '+' : '-'} ${change.name}`;
