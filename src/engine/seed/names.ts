import { MAX_TIME } from '#vals/model/databases.js';
import { SqlScripts } from '#vals/sqlite/scripts.js';
import type { Names } from '../definition/context.js';
import { getDefinition, getRecords } from '../definition/definitions.js';
import type { State } from '../state/state.js';

/** Names the records of a state. */
export class StateNames implements Names {
  readonly sets: State;
  #scripts: SqlScripts | undefined;

  /** @param scripts write databases. Default: new ones */
  constructor(state: State, scripts?: SqlScripts) {
    this.sets = state;
    this.#scripts = scripts;
  }

  get scripts(): SqlScripts {
    this.#scripts ??= new SqlScripts(MAX_TIME);
    return this.#scripts;
  }

  of(collection: string, id: string): string {
    const record = getRecords(this.sets, collection).get(id);
    if (!record) throw new Error(`no record ${id} in ${collection}`);
    return getDefinition(this.sets.definitions, collection).naming?.write(this.sets, record) ?? id;
  }
}
