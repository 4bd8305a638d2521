/** Names of headers and query parameters whose values are secrets. */
export const SECRET_NAME = /auth|cookie|token|secret|key|session|passw|credential|signature/i;
/** Values that look like secrets, unlike `undefined` or `wrong-token`. */
export const LIKE_SECRET = /^(?=.*\d).{8,}$|^.{16,}$/s;
