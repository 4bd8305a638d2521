import type { RequestLog } from '../http/handler.js';
import { colourOf, colours } from './print.js';

/** How long a line about a request may wait for others, in milliseconds: a print costs more than most requests do. */
const PATIENCE = 20;

/** Prints a line per request. */
export class RequestPrinter {
  #requests: RequestLog[] = [];

  add(request: RequestLog): void {
    if (this.#requests.length === 0) setTimeout(() => this.flush(), PATIENCE);
    this.#requests.push(request);
  }

  flush(): void {
    process.stdout.write(this.#requests.map(lineOf).join(''));
    this.#requests = [];
  }
}

function lineOf({ method, target, status, duration }: RequestLog): string {
  const ms = `${duration.toFixed(1)} ms`;
  return `${method.padEnd(6)} ${target} ${colourOf(status)(String(status))} ${colours.dim(ms)}\n`;
}
