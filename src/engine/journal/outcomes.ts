/** How a response ended: whole, without its client, by a fault that reset the connection, or by one that cut the body. */
export const OUTCOMES = ['sent', 'aborted', 'reset', 'truncated'] as const;
export type Outcome = (typeof OUTCOMES)[number];
