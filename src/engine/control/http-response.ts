import type { RequestListener } from 'node:http';
import type { TransportFault } from '../faults/faults.js';
import type { Outcome } from '../journal/outcomes.js';
import type { EventStream } from './event-feed.js';

/** A response, as the pipeline gives it to a transport. */
export interface HttpResponse {
  readonly status: number;
  /** The pipeline adds `date`. */
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | undefined;
  /** Set by the pipeline: the transport calls it when the response has ended. */
  ended?: (outcome: Outcome) => void;
  /** Sends a body that has no end yet, after the headers. */
  readonly stream?: EventStream | undefined;
  /** Sends the response in place of the transport, with these headers. Over HTTP only. */
  readonly listener?: RequestListener | undefined;
  /** A large body, made while it is sent. */
  readonly chunks?: AsyncIterable<string> | undefined;
  readonly fault?: TransportFault | undefined;
}
