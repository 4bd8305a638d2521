import { runModule } from '#engine/fixtures/module.js';
import type { EngineOptions } from '#engine/http/parse-options.js';
import { formatValue } from '#engine/lib/messages.js';
import type { SandboxTypes } from '#engine/sandbox/types.js';
import { isService, type Service } from '#engine/service.js';
import { vals } from '#vals/service/index.js';
import { OPTIONS, OWN_OPTIONS } from '#vals/service/options.js';
import { createEngine, type EngineOf } from '../../create-engine.js';
import { fail, flagOf } from './command.js';
import type { toEmulatorOptions } from './emulator-flags.js';
import { CliError } from './errors.js';

/** An emulator of any service. */
export type AnyEmulator = EngineOf<SandboxTypes>;

/** What a command starts: a service, and the options that it has. */
interface Started {
  readonly service: Service;
  readonly options: ReturnType<typeof toEmulatorOptions>;
}

/**
 * Loads the service of `--service`. Without it, it is the vals service.
 * @param needed a flag of the command that needs the vals service
 * @param query of the module, which runs again for another query
 * @throws CliError for a flag of the vals service, and for a module that exports no service
 */
export async function loadService(
  path: string | undefined,
  options: Started['options'],
  needed: string | undefined,
  query?: string,
): Promise<Started> {
  if (path === undefined) return { service: vals, options };
  const entries = OPTIONS.filter(([name]) => OWN_OPTIONS.includes(name));
  const given: Readonly<Record<string, unknown>> = options;
  const own = entries.find(([name, entry]) => given[name] !== undefined && given[name] !== entry.default)?.[0];
  const flagged = own === undefined ? needed : flagOf(own);
  if (flagged !== undefined) fail(`--${flagged}: needs the vals service; leave it out with --service.`);
  const unset = Object.fromEntries(OWN_OPTIONS.map((name) => [name, undefined]));
  return { service: await runService(path, query), options: { ...options, ...unset } };
}

/**
 * Returns the service that the module at a path exports, without a path the vals service.
 * @throws CliError for a module that exports no service
 */
export async function runService(path: string | undefined, query?: string): Promise<Service> {
  if (path === undefined) return vals;
  const { exported, shown } = await runModule(path, toError, query);
  if (isService(exported)) return exported;
  if (exported === undefined) {
    fail(`--service: ${shown}: found no default export; expected export default defineService({ … }).`);
  }
  return fail(
    `--service: ${shown}: found ${formatValue(exported)} as its default export; expected a service, as defineService of val-emulator/engine returns it. Run the val-emulator that the module imports: npx val-emulator.`,
  );
}

const toError = (path: string, message: string) => new CliError('usage', `--service: ${path}: ${message}`);

/** Starts an emulator of any service. */
export const startService = ({ service, options }: Started, others: EngineOptions): Promise<AnyEmulator> =>
  createEngine(service, { ...options, ...others });
