/** Parses the body of a response. What comes out of JSON.parse has no type, so that tests read any member of it. */
export const readJson = async (response: Response) => JSON.parse(await response.text());
