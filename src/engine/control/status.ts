import { type Static, Type } from 'typebox';
import { ErrorBody, renderError, toApiError } from '../api/errors.js';
import { ApiError, BodyError, NotFoundError } from '../lib/errors.js';
import { formatMetrics, PROMETHEUS_TEXT } from '../lib/metrics.js';
import { ClusterStatus } from '../persistence/nodes.js';
import { packageVersion } from '../platform/package.js';
import { record } from '../schema/schema.js';
import { InterceptionInfo } from './interception.js';
import { controlRoute } from './route.js';

const Instance = Type.String({ description: 'Random id of this emulator, from its start to its end' });

const health = record('Health', { status: Type.Literal('ok'), version: Type.String(), instance: Instance });
export interface Health extends Static<typeof health> {}
const Health = Type.Unsafe<Health>(health);

const readiness = record('Readiness', { status: Type.Literal('ready') });
export interface Readiness extends Static<typeof readiness> {}
const Readiness = Type.Unsafe<Readiness>(readiness);

/** The operations about the process of the emulator, for the programs that run it. */
export const statusRoutes = [
  controlRoute('GET', '/_emulator/health', 'Report that the emulator is up, with its version', {
    id: 'getHealth',
    response: Health,
    errors: [503],
    errorBodies: { 503: record('HealthError', { ...ErrorBody.properties, instance: Instance }) },
    handle({
      emulator: {
        storage,
        process: { instance },
      },
    }) {
      if (!storage?.failure) return { status: 'ok' as const, version: packageVersion(), instance };
      const { status, message, retryAfter } = toApiError(storage.failure);
      throw new BodyError(status, message, { ...renderError(storage.failure), instance }, retryAfter);
    },
  }),
  controlRoute('GET', '/_emulator/ready', 'Report whether a load balancer may send requests', {
    id: 'getReadiness',
    description: 'It may not when the data cannot be written, and once the emulator is about to end.',
    response: Readiness,
    errors: [503],
    handle({ emulator: { storage, process } }) {
      if (process.isClosing) throw new ApiError(503, 'The emulator is closing.');
      if (storage?.failure) throw storage.failure;
      return { status: 'ready' as const };
    },
  }),
  controlRoute('GET', '/_emulator/cluster', 'List the emulators that share a store', {
    id: 'getCluster',
    response: ClusterStatus,
    errors: [403, 404, 503],
    handle({ emulator: { storage } }) {
      if (!storage?.nodes) throw new NotFoundError('This emulator has no shared store. Start it with --store.');
      return storage.nodes.list();
    },
  }),
  controlRoute('GET', '/_emulator/interception', 'Get how programs reach the intercepted hosts', {
    id: 'getInterception',
    description: 'The command `env --intercept` makes the variables of programs on the same machine from it.',
    response: InterceptionInfo,
    errors: [403, 404],
    handle({
      emulator: {
        process: { interception },
      },
    }) {
      if (interception) return interception;
      throw new NotFoundError('This emulator intercepts no host. Start it with --intercept.');
    },
  }),
  controlRoute('GET', '/_emulator/metrics', 'Get numbers about requests and the process, for Prometheus', {
    id: 'getMetrics',
    description: 'Requests are counted by the path of their route, method and status, since the start of the process.',
    response: Type.String({ description: 'The text format of Prometheus, version 0.0.4' }),
    mediaType: PROMETHEUS_TEXT,
    handle: ({ emulator }) => formatMetrics(emulator.readMetrics()),
  }),
];
