/** What explains a response. Null for nothing. */
interface Reasons {
  readonly message: string | null;
  readonly reason: string | null;
  readonly suggestion: string | null;
}

/** Writes in one line why a request got its response. Empty for a success without a reason. */
export const formatReasons = ({ message, reason, suggestion }: Reasons): string =>
  [message, reason, suggestion].filter(Boolean).join(' - ');
