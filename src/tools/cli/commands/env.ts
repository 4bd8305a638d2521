import { existsSync } from 'node:fs';
import type { InterceptionInfo } from '#engine/control/interception.js';
import { type Environment, fail, switchFlag } from '../command.js';
import { remoteCommand } from '../remote.js';
import { makeAddressVariables } from '../variables.js';

export const env = remoteCommand({
  flags: {
    intercept: switchFlag('Also what programs need whose host the emulator intercepts'),
    deno: switchFlag('Also what commands of Deno need: deno test $VAL_EMULATOR_DENO'),
  },
  examples: {
    $0: 'set address and token in a shell: eval "$(val-emulator env)"',
    '$0 --deno': 'run vals in a shell: deno run $VAL_EMULATOR_DENO cron.ts',
    '$0 --intercept': 'run unchanged programs in a shell, with start --intercept',
  },
  async run({ intercept, deno }, { control, url, io }) {
    if (intercept && url.includes('/_sandbox/')) {
      fail(
        '--intercept: cannot be used with --sandbox. val-emulator exec --intercept --sandbox NAME serves a sandbox.',
      );
    }
    const [user] = await control.listUsers();
    const token = user?.token ?? '';
    const forDeno = deno && (await (await import('../deno.js')).makeShellVariables({ url, token, env: io.env }));
    const own = { ...makeAddressVariables(url, token, intercept), ...forDeno };
    const value = intercept ? { ...(await readVariables(await control.getInterception(), url, io.env)), ...own } : own;
    const lines = Object.entries(value).map(([name, text]) => `export ${name}='${text.replaceAll("'", "'\\''")}'`);
    return { value, text: lines.join('\n') };
  },
});

/** Loads the modules of the interception late: most runs need none. */
async function readVariables(info: InterceptionInfo, url: string, variables: Environment) {
  if (!existsSync(info.folder)) fail(`${url} runs on another machine. Run val-emulator exec --intercept there.`);
  const { makeVariables } = await import('../../intercept/environment.js');
  return makeVariables(info, variables);
}
