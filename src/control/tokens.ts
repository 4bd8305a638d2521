/** A user as the control plane shows one: only the list of users tells tokens. */
export const withoutToken = <U extends { readonly token?: string | undefined }>({ token: _, ...user }: U) => user;
