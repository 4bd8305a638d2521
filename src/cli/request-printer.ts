import type { RequestLog } from '../http/handler.js';
import { colourOf, colours } from './print.js';

/** How long a line about a request may wait for others, in milliseconds: a print costs more than most requests do. */
const PATIENCE = 20;

/** Prints a line per request. */
export class RequestPrinter {
  #lines = '';

  add({ method, target, status, duration }: RequestLog): void {
    if (this.#lines === '') setTimeout(() => this.flush(), PATIENCE);
    const ms = `${duration.toFixed(1)} ms`;
    this.#lines += `${method.padEnd(6)} ${target} ${colourOf(status)(String(status))} ${colours.dim(ms)}\n`;
  }

  flush(): void {
    process.stdout.write(this.#lines);
    this.#lines = '';
  }
}
