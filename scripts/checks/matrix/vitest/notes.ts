// A line with 💡 and é moves bytes, not characters.
export { greet, site } from 'https://esm.town/v/ada/site/main.ts';

import { type ResultSet, sqlite } from 'https://esm.town/v/std/sqlite/main.ts';

export const read = async (): Promise<unknown> => {
  const result: ResultSet = await sqlite.execute('SELECT 41 AS n');
  return result.rows[0]?.n;
};
export const readTwice = async (n: number): Promise<number> => (await import(`https://esm.town/v/ada/twice`)).twice(n);
export const DEPLOYED = `import { sqlite } from 'https://esm.town/v/std/sqlite/main.ts';
export default () => import("https://esm.town/v/ada/twice");`;
