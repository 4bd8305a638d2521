/** Parses the body of a response. The result has no type, so that tests can read any member. */
export const readJson = async (response: Response) => JSON.parse(await response.text());
