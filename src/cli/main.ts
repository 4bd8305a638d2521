#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { packageVersion } from '../domain/version.js';
import { fail } from './fail.js';
import { startCommand } from './start.js';

const parser = yargs(hideBin(process.argv))
  .scriptName('val-emulator')
  .usage('$0 <command>\n\nA local emulator of the vals API.')
  .command(startCommand)
  .strict()
  // All other messages are in English.
  .locale('en')
  // Of a flag that is given twice the last counts.
  .parserConfiguration({ 'duplicate-arguments-array': false })
  .version(packageVersion())
  .alias({ help: 'h', version: 'v' })
  .wrap(Math.min(100, process.stdout.columns ?? 100))
  .fail((message, error) => fail(error ?? `${message}\nSee val-emulator --help.`));

await parser.parseAsync();
