/** Longest body that a journal has: UTF-16 code units of text, or bytes. */
export const MAX_BODY_LENGTH = 65_536;
export const DROPPED = '(dropped: the journal is full)';

/** Whether a journal has a body as it was sent. It may have only the first part, or none. */
export const isWhole = (body: string | Uint8Array | undefined): boolean =>
  body === undefined || (body.length < MAX_BODY_LENGTH && body !== DROPPED);
