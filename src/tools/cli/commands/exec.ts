import { resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '#engine/lib/messages.js';
import type { RequestLog } from '#engine/options/callbacks.js';
import { startProgram, waitForEnd } from '../child.js';
import { type CliIo, defineCommand, fail, failValue, flag, jsonFlag, switchFlag } from '../command.js';
import { emulatorFlags, startFlags, toEmulatorOptions } from '../emulator-flags.js';
import { intercept, interceptFlags, parseIntercept } from '../intercept.js';
import { onSignals } from '../io.js';
import { Refusals } from '../refused.js';
import { logFlags, RequestLogger } from '../request-log.js';
import { loadService, startService } from '../start-service.js';
import { makeAddressVariables } from '../variables.js';

const { port, ...sharedFlags } = emulatorFlags;

export const exec = defineCommand({
  variables: {
    ...sharedFlags,
    port: { ...port, default: '0' },
    env: {
      ...flag('Additional variable with {url} or {token}: API_BASE={url} (repeatable)'),
      array: true,
      default: [],
    },
    json: { ...jsonFlag('nothing'), describe: 'Print errors as JSON' },
    config: startFlags.config,
    service: startFlags.service,
  },
  flags: {
    ...interceptFlags,
    deno: switchFlag('Let a command of Deno find the modules of vals in the emulator'),
    url: flag('Use a running emulator, or a sandbox of it, in place of a new one'),
    ...logFlags('Print a line per request on stderr (default: off)'),
  },
  // Without the port: the emulator of `start` may use it.
  configurable: sharedFlags,
  runsProgram: true,
  examples: {
    '$0 npm test': 'run with VAL_EMULATOR_URL, VAL_EMULATOR_TOKEN and the variables of the SDK',
    "$0 'npm run build && npm test'": 'one argument with spaces is run by the shell',
    "$0 --env 'API_BASE={url}' -- pytest -q": 'set API_BASE as well',
    '$0 --intercept -- python app.py': 'run an unchanged program, which calls https://api.val.town',
    '$0 --deno -- deno test': 'test vals, which import https://esm.town/v/std/sqlite',
    '$0 --url http://127.0.0.1:4010 --deno -- deno run cron.ts': 'run a val with the data of val-emulator start',
  },
  epilogue: 'The exit code is the one of the command, or 127 if there is no such program.',
  async run({ '--': words = [], service: path, env, log = 'off', logControl, deno, url: running, ...rest }, io) {
    const interceptOptions = parseIntercept(rest);
    if (words.length === 0) return fail('Missing command. Usage: val-emulator exec npm test');
    // Stdout belongs to the command.
    const logIo: CliIo = Object.create(io, { stdout: { value: io.stderr } });
    const findToken = () => token;
    const logger =
      log === 'off'
        ? undefined
        : new RequestLogger(logIo, log, findToken, { names: interceptOptions?.names, control: logControl });
    const refusals = new Refusals();
    const missing = new Set<string>();
    const modules = deno ? await import('../deno.js') : undefined;
    const onRequest = (request: RequestLog) => {
      logger?.add(request);
      refusals.add(request);
      const { status, target } = request;
      if (status === 404 && modules?.isModule(target)) missing.add(target);
    };
    const options = toEmulatorOptions(rest, io);
    const shared = { words, io, env, modules, projects: options.projects };
    if (running !== undefined) {
      const other = path ? 'service' : interceptOptions ? 'intercept' : log === 'off' ? undefined : 'log';
      if (other) fail(`--url: cannot be used with --${other}, which needs a new emulator.`);
      const { attach } = await import('../attach.js');
      return await runProgram(await attach(running, options), shared);
    }
    const neededFlag = interceptOptions ? 'intercept' : deno ? 'deno' : undefined;
    await using emulator = await startService(await loadService(path, options, neededFlag), { onRequest });
    const token = emulator.users[0]?.token ?? '';
    const { url } = interceptOptions?.sandbox === undefined ? emulator : emulator.sandbox(interceptOptions.sandbox);
    await using interception = interceptOptions && (await intercept(emulator, interceptOptions, io));
    let code: number;
    try {
      code = await runProgram({ url, token }, { ...shared, interception });
    } finally {
      logger?.flush();
    }
    const advice = interception
      ? 'A program that ignores proxies needs the address in VAL_EMULATOR_URL.'
      : 'A program with a fixed address, such as https://api.val.town, needs --intercept.';
    for (const text of refusals.describe(emulator.users, advice)) io.stderr.write(`val-emulator: ${text}\n`);
    for (const target of missing)
      io.stderr.write(`val-emulator: ${await modules?.readProblem(emulator.url + target, token)}\n`);
    return interception?.report(code) ?? code;
  },
});

interface Program {
  readonly words: readonly string[];
  readonly io: CliIo;
  /** The templates of `--env`. */
  readonly env: readonly string[];
  /** What a command of Deno needs. */
  readonly modules: typeof import('../deno.js') | undefined;
  readonly projects: Readonly<Record<string, string>> | undefined;
  readonly interception?: { makeVariables(): Record<string, string> } | undefined;
}

/** Runs a program with the addresses of an emulator. Returns its exit code. */
async function runProgram(
  { url, token }: { readonly url: string; readonly token: string },
  { words, io, env, modules, projects, interception }: Program,
): Promise<number> {
  const variables = parseVariables(env, new Map(Object.entries({ url, token })));
  using denoRun = modules ? await modules.prepareDeno(words, { url, token, env: io.env }) : undefined;
  for (const line of denoRun?.lines ?? []) io.stderr.write(`val-emulator: ${line}\n`);
  const program = denoRun?.words ?? words;
  const child = startProgram(program, {
    stdio: 'inherit',
    env: {
      ...{ ...io.env, ...interception?.makeVariables() },
      ...{ ...makeAddressVariables(url, token, interception !== undefined), ...nameFolders(projects) },
      ...{ ...denoRun?.variables, ...variables },
    },
  });
  // A terminal sends a Ctrl-C to the child as well.
  const off = onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
    if (signal !== 'SIGINT' || !io.isInteractive) child.kill(signal);
  });
  try {
    return await waitForEnd(child, program);
  } finally {
    off();
  }
}

/** Names the folders that are projects, for vals of a folder that read their files. */
function nameFolders(projects: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const folders = Object.entries(projects ?? {}).map(([project, path]) => [
    pathToFileURL(`${resolve(path)}${sep}`).href,
    project,
  ]);
  return folders.length === 0 ? {} : { VAL_EMULATOR_PROJECTS: JSON.stringify(Object.fromEntries(folders)) };
}

/** Fills `values` into the templates of `--env`: `API_BASE={url}`. */
function parseVariables(pairs: readonly string[], values: ReadonlyMap<string, string>): Record<string, string> {
  const known = [...values.keys()].map((name) => `{${name}}`);
  const replace = (found: string, name: string) =>
    values.get(name) ?? fail(`--env: found ${found}; expected ${known.join(' or ')}.${didYouMean(found, known)}`);
  const variables = pairs.map((pair) => {
    const [, name, template = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined) return failValue('env', pair, 'a name and a value, such as API_BASE={url}');
    return [name, template.replaceAll(/\{(\w+)\}/g, replace)];
  });
  return Object.fromEntries(variables);
}
