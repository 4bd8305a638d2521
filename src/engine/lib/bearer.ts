/** Reads a bearer token, spaces included. Any other credentials are an unknown token. */
export const readToken = (authorization: string | undefined): string | undefined =>
  authorization ? (/^bearer (.*)$/i.exec(authorization)?.[1] ?? '') : undefined;
