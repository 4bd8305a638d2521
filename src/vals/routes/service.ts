import type { Service } from '#engine/api/service.js';
import { definitions } from '../collections/index.js';
import { findCaller } from '../model/users.js';
import { routes } from './index.js';
import { findNotImplemented } from './not-implemented.js';

/** The vals service. */
export const vals: Service = { name: 'vals', definitions, routes, identify: findCaller, findNotImplemented };
