import * as z from 'zod';
import { controlRoute } from '../route.js';

const Reading = z.strictObject({ now: z.iso.datetime(), frozen: z.boolean() });

const ClockBody = z
  .strictObject({
    freeze: z
      .union([z.string(), z.literal(true)], { error: 'a timestamp, or true' })
      .optional()
      .describe('Stand still, at a timestamp or (true) where it is'),
    set: z.string().optional().describe('Show a timestamp and go on as before'),
    advance: z
      .union([z.string(), z.number()], { error: 'a duration, or milliseconds' })
      .optional()
      .describe('Move by a duration such as 10m, or milliseconds'),
    resume: z.literal(true).optional().describe('Run on from the time that it shows'),
  })
  .refine((body) => Object.keys(body).length === 1, {
    error: 'must have exactly one of freeze, set, advance and resume',
  });

export const clockRoutes = [
  controlRoute({
    method: 'GET',
    path: '/_emulator/clock',
    summary: 'What time it is',
    request: {},
    status: 200,
    answer: Reading,
    errors: [403],
    handle: ({ sandbox }) => sandbox.clock.read(),
  }),
  controlRoute({
    method: 'PUT',
    path: '/_emulator/clock',
    summary: 'Freeze, set, advance or resume the clock',
    request: { body: ClockBody },
    status: 200,
    answer: Reading,
    errors: [400, 403, 422],
    example: { body: { advance: '10m' } },
    handle({ sandbox: { clock }, body: { freeze, set, advance } }) {
      if (freeze !== undefined) return clock.freeze(freeze === true ? undefined : freeze);
      if (set !== undefined) return clock.set(set);
      return advance === undefined ? clock.resume() : clock.advance(advance);
    },
  }),
];
