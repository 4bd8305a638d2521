import * as z from 'zod';
import { packageVersion } from '../../domain/version.js';
import { controlRoute } from '../route.js';

export const healthRoutes = [
  controlRoute({
    method: 'GET',
    path: '/_emulator/health',
    summary: 'Tell that the emulator answers, and its version',
    request: {},
    status: 200,
    answer: z.strictObject({ status: z.literal('ok'), version: z.string() }),
    errors: [],
    handle: () => ({ status: 'ok' as const, version: packageVersion() }),
  }),
];
