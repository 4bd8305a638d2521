import type { Exchange } from '#engine/journal/exchange.js';
import { cutBodies, Journal } from '#engine/journal/journal.js';

/** A journal that changes once the log says so, by `append` and `restart`. */
export class ReplicatedJournal extends Journal {
  override record(exchange: Exchange): void {
    exchange.number = this.count + 1;
    cutBodies(exchange);
  }

  override clear(): void {}

  override reset(): void {}
}
