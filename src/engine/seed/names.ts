import type { Names, Work } from '../definition/context.js';
import { getDefinition, getRecords } from '../definition/definitions.js';
import type { State } from '../state/state.js';

export class StateNames implements Names {
  readonly sets: State;
  readonly work: Work;

  constructor(state: State, work: Work = { isRequest: true }) {
    this.sets = state;
    this.work = work;
  }

  of(collection: string, id: string): string {
    const record = getRecords(this.sets, collection).get(id);
    if (!record) throw new Error(`no record ${id} in ${collection}`);
    return getDefinition(this.sets.definitions, collection).naming?.write(this.sets, record) ?? id;
  }
}
