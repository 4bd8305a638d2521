import { Type } from 'typebox';
import { packageVersion } from '../../lib/package.js';
import { strictObject } from '../../lib/schema.js';
import { controlRoute } from '../route.js';

export const healthRoutes = [
  controlRoute('GET', '/_emulator/health', 'Report that the emulator is up, with its version', {
    response: strictObject({ status: Type.Literal('ok'), version: Type.String() }),
    errors: [],
    handle: () => ({ status: 'ok' as const, version: packageVersion() }),
  }),
];
