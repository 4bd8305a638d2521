import { expect } from 'vitest';
import * as z from 'zod';
import type { Emulator } from '../../src/index.js';
import { as } from './emulate.js';

/** The response of every list. A missing link is absent, not null. */
const Page = z.strictObject({
  data: z.array(z.json()),
  links: z.strictObject({ self: z.url(), next: z.url().optional(), prev: z.url().optional() }),
});
export type Page = z.infer<typeof Page>;

export async function readPage(emulator: Emulator, user: string, address: string): Promise<Page> {
  const path = address.startsWith('/') ? address : address.slice(new URL(address).origin.length);
  const response = await as(emulator, user).get(path);
  expect(response.status).toBe(200);
  return Page.parse(response.body);
}

/** Reads the page at `address` and all following pages in this direction. */
export async function readPages(
  emulator: Emulator,
  user: string,
  address: string,
  direction: 'next' | 'prev' = 'next',
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next: string | undefined = address; next !== undefined; next = pages.at(-1)?.links[direction]) {
    pages.push(await readPage(emulator, user, next));
  }
  return pages;
}

/** Lists the query parameters of a link, each with all its values. */
export function parametersOf(link: string | undefined): Record<string, string[]> {
  if (link === undefined) throw new Error('no link');
  const { searchParams } = new URL(link);
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
}
