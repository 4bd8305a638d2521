import { addRun } from '../../fixtures/add.js';
import { exportRun, inOrder } from '../../fixtures/export.js';
import { type Fixture, table } from './table.js';

export const runs = table({
  collection: 'runs',
  references: { val: 'valId' },
  all: (state) => inOrder(state.runs),
  find: (state, id) => state.runs.get(id),
  show: (state, run) => ({ ...exportRun(state, run), valId: run.valId }),
  put(state, fixture, now, old) {
    if (old) state.runs = state.runs.delete(old);
    const { id } = addRun(state, old ? withoutOldEnd(fixture, exportRun(state, old)) : fixture, now);
    const run = state.runs.get(id);
    if (old && run) state.runs = state.runs.put({ ...run, serial: old.serial });
    return run;
  },
  remove(state, run) {
    state.runs = state.runs.delete(run);
  },
});

/** A duration says anew when the run ended, so the end that it had before is no contradiction. */
function withoutOldEnd(fixture: Fixture, old: Fixture): Fixture {
  const { runEndAt, ...rest } = fixture;
  return rest.duration !== undefined && runEndAt === old.runEndAt ? rest : fixture;
}
