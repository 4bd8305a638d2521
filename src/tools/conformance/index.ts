import { Redactor } from '#engine/lib/redactor.js';
import { explore } from './account.js';
import type { Case, Level } from './case.js';
import { CASES } from './cases/index.js';
import { Service, type ServiceOptions } from './remote-service.js';
import { makeReport, type Report } from './report.js';
import { readRules } from './rules.js';
import { Runner } from './runner.js';

export interface ConformanceOptions extends ServiceOptions {
  /** Base URL of the service, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Of another account, for the rules on what users see of each other. */
  readonly secondToken?: string | undefined;
  /** Of the account, with a scope that no route needs, such as `email:read`: for the rules on scopes. */
  readonly limitedToken?: string | undefined;
  /** Of the account, with each scope that reads: for the rules on scopes. */
  readonly readerToken?: string | undefined;
  readonly level: Level;
  readonly onProgress?: (done: number, total: number) => void;
  /** Called with a task for a person, even without a report. */
  readonly onRemark?: (remark: string) => void;
  /** Default: all of them */
  readonly cases?: readonly Case[] | undefined;
}

const DIFFERENT = 'different: undocumented behavior; service and emulator disagree.';

/**
 * Tests a service against the rules of docs/fidelity.md.
 * @throws ServiceError if it cannot be checked
 */
export async function checkConformance(options: ConformanceOptions): Promise<Report> {
  const { url, token, level, onProgress, onRemark, cases = CASES } = options;
  const tokens = { second: options.secondToken, limited: options.limitedToken, reader: options.readerToken };
  const startedAt = new Date();
  const service = new Service(url, options);
  const cleaner = new Service(url, { ...options, signal: undefined });
  const redactor = new Redactor([token, ...Object.values(tokens)]);
  const found = await explore(service, tokens);
  const runner = new Runner({ service, cleaner, tokens, level, redactor, found, rules: readRules() });
  const entries = [];
  const remarks: string[] = [];
  try {
    await runner.prepare();
    for (const [done, each] of cases.entries()) {
      onProgress?.(done, cases.length);
      entries.push(await runner.run(each));
    }
  } finally {
    await runner.close();
    for (const name of new Set(runner.leftovers)) {
      const remark = `The ${name} could not be deleted. Delete it by hand.`;
      remarks.push(remark);
      onRemark?.(remark);
    }
  }
  if (entries.some(({ outcome }) => outcome === 'different')) remarks.push(DIFFERENT);
  const checked = `${cases.length} cases`;
  return makeReport({ title: 'Conformance', service: url, startedAt, checked, entries, remarks });
}
