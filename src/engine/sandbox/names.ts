import { badRequest } from '../state/errors.js';

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** Steps in a path. */
const DOTS = /^\.+$/;

export const isSandboxName = (name: string): boolean => NAME.test(name) && !DOTS.test(name);

/** @throws ApiError 400 for an invalid name of a sandbox */
export function assertSandboxName(name: string): void {
  if (isSandboxName(name)) return;
  throw badRequest(`Invalid sandbox name ${JSON.stringify(name)}: use 1–64 of A–Z a–z 0–9 . _ -, not only dots`);
}

/** Returns a unique sandbox name for a test: `lists-the-runs-17`. */
export function toSandboxName(title: string, number: number): string {
  const words = title.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return `${words.slice(0, 64 - String(number).length - 1)}-${number}`.replace(/^-/, '');
}
