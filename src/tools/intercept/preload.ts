import childProcess from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import type { PreloadSettings } from './environment.js';

// Node loads this module into each process and worker below `exec --intercept`, before the program.
install(process.env.VAL_EMULATOR_PRELOAD);

type Options = Record<string, unknown>;

/** Changes how this process connects. Without valid settings it changes nothing. */
function install(text: string | undefined): void {
  if (text === undefined) return;
  const settings: PreloadSettings = JSON.parse(text);
  redirectConnections(settings);
  // Deno loads this module too, and its own `fetch` needs the proxy.
  if (!('deno' in process.versions)) hideProxies(settings.changes);
  // For named imports of ES modules.
  syncBuiltinESMExports();
}

function redirectConnections({ names, port, authority, refused }: PreloadSettings): void {
  const sockets = new WeakSet<object>();
  const isIntercepted = ({ host, port }: Options) =>
    names.includes(toName(host)) && (Number(port) === 443 || Number(port) === 80);
  // After the run, the file is gone and nothing listens at the port.
  const trust = (ca: unknown) => [ca ?? [], existsSync(authority) ? readFileSync(authority) : []].flat();
  // All TCP connections of Node begin here: also TLS, and libraries that took a function of node:net earlier.
  patch(net.Socket.prototype, 'connect', (connect, socket, args) => {
    const { options, callback } = normalize(args);
    if (isIntercepted(options)) {
      sockets.add(socket);
      const target = { ...options, host: '127.0.0.1', port, localAddress: undefined, localPort: undefined };
      return Reflect.apply(connect, socket, [target, callback]);
    }
    if (refused === undefined || isLocal(options)) return Reflect.apply(connect, socket, args);
    const address = `${toName(options.host)}:${options.port}`;
    appendFileSync(refused, `${address}\n`);
    const error = new Error(`val-emulator exec --only refuses the connection to ${address}`);
    Object.assign(error, { code: 'ECONNREFUSED', syscall: 'connect' });
    process.nextTick(() => socket instanceof net.Socket && socket.destroy(error));
    return socket;
  });
  patch(tls, 'connect', (connect, self, args) => {
    const { options, callback } = normalize(args);
    const { socket, ca } = options;
    // Other sockets belong to a proxy, or to a protocol that upgrades to TLS.
    const isOurs = typeof socket === 'object' && socket ? sockets.has(socket) : isIntercepted(options);
    if (!isOurs) return Reflect.apply(connect, self, args);
    return Reflect.apply(connect, self, [{ ...options, ca: trust(ca), secureContext: undefined }, callback]);
  });
}

/** Gives this process the proxy variables that were in force, and its child processes ours. */
function hideProxies(changes: PreloadSettings['changes']): void {
  const variables = Object.entries(changes).filter(([name]) => /_proxy$/i.test(name));
  for (const [name, { before, ours }] of variables) {
    if (process.env[name] !== ours) continue;
    if (before === null) delete process.env[name];
    else process.env[name] = before;
  }
  /** Finds the variables to add, unless the program has chosen other values, or an environment without our settings. */
  const findHidden = (env: Readonly<Record<string, unknown>>): Record<string, string> => {
    const hidden = variables.filter(([name, { before }]) => (env[name] ?? null) === before);
    return 'VAL_EMULATOR_PRELOAD' in env ? Object.fromEntries(hidden.map(([name, { ours }]) => [name, ours])) : {};
  };
  // `spawn`, `exec`, `execFile` and `fork` call this method.
  patch(childProcess.ChildProcess.prototype, 'spawn', (spawn, child, [first]) => {
    const options: Options = Object.assign({}, first);
    const pairs = [options.envPairs ?? []].flat().map((pair) => String(pair).split(/=(.*)/s, 2));
    const hidden = findHidden(Object.fromEntries(pairs));
    const others = pairs.filter(([name = '']) => !Object.hasOwn(hidden, name));
    const envPairs = [...others, ...Object.entries(hidden)].map(([name, value]) => `${name}=${value}`);
    return Reflect.apply(spawn, child, [{ ...options, envPairs }]);
  });
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
    patch(childProcess, name, (run, self, args) => {
      const options: Options = Object.assign({}, args.find(isOptions));
      const env = isOptions(options.env) ? options.env : process.env;
      const others = args.filter((arg) => !isOptions(arg));
      return Reflect.apply(run, self, [...others, { ...options, env: { ...env, ...findHidden(env) } }]);
    });
  }
}

type Callable = Parameters<typeof Reflect.apply>[0];

/** Replaces a function. @param call receives the original one, `this` and the arguments */
function patch(target: object, name: string, call: (original: Callable, self: object, args: unknown[]) => unknown) {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== 'function') return;
  Reflect.set(target, name, function (this: object, ...args: unknown[]) {
    return call(original, this, args);
  });
}

const isOptions = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Normalizes the arguments of `connect`: options, or a port and a host, or the path of a socket file, before further
 * options of TLS and a callback. Node calls it with an array of options and callback as well.
 */
function normalize(args: readonly unknown[]): { options: Options; callback: unknown } {
  const [first, second] = args;
  if (Array.isArray(first)) return normalize(first);
  const isPort = !isOptions(first) && first !== '' && Number(first) >= 0;
  const place = isPort ? { port: first, host: typeof second === 'string' ? second : 'localhost' } : { path: first };
  const options = Object.assign({}, isOptions(first) ? {} : place, ...args.filter(isOptions));
  return { options, callback: args.findLast((arg) => typeof arg === 'function') };
}

const toName = (host: unknown): string => `${host ?? 'localhost'}`.toLowerCase().replace(/\.$/, '');

/** Whether a connection stays on this machine, as far as its options say. */
const isLocal = ({ path, host }: Options): boolean =>
  typeof path === 'string' || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0|::)$/.test(toName(host));
