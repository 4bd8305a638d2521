import { Type } from 'typebox';
import { strictObject } from '../schema/schema.js';
import type { EventStream } from './event-feed.js';
import { controlRoute } from './route.js';

/** Sandboxes that one stream follows: as many as an address of 8 kB names. */
const MAX_FOLLOWED = 100;

export const eventRoutes = [
  controlRoute('GET', '/_emulator/events', 'Follow what happens in the sandbox, by Server-Sent Events', {
    id: 'streamEvents',
    description:
      'The response stays open. A client that connects again sends the id of its last event as `Last-Event-ID`; of several sandboxes the id of the last event of each, with commas.',
    query: strictObject({
      sandbox: Type.Optional(
        Type.Array(Type.String({ expected: 'the name of a sandbox' }), {
          maxItems: MAX_FOLLOWED,
          expected: `the names of at most ${MAX_FOLLOWED} sandboxes`,
          description: 'Follow these sandboxes: each event has a `sandbox` and its `data`. Empty: the default one',
        }),
      ),
    }),
    errors: [400, 403],
    response: Type.Unsafe<EventStream>(Type.String({ description: 'Events in the format of Server-Sent Events' })),
    mediaType: 'text/event-stream',
    handle({ emulator, sandbox, request, query }) {
      const last = request.header('last-event-id');
      const { sandboxes } = emulator;
      return emulator.follow({ sandbox, names: query.sandbox, sandboxes, origin: request.origin, last });
    },
  }),
];
