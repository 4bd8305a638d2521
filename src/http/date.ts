import type { Instant } from '../domain/clock.js';

let second = Number.NaN;
let text = '';

/** A time as headers tell it. Made once a second, as many requests come within the same one. */
export function httpDate(now: Instant): string {
  const asked = Math.floor(now / 1_000);
  if (asked !== second) {
    second = asked;
    text = new Date(now).toUTCString();
  }
  return text;
}
