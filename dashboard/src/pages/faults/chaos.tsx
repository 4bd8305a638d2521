import { CHAOS, CHAOS_NAMES, type ChaosName } from '../../../../src/engine/faults/presets.js';
import { control } from '../../lib/api.js';
import { disarm } from '../../lib/faults.js';
import { ActionButton, Panel } from '../../ui/elements.js';
import { toast } from '../../ui/toast.js';

/** Says what the faults of a name do: `resets 5 %, status 503 for 10 %`. */
const describeChaos = (name: ChaosName): string =>
  CHAOS[name].faults
    .map(({ rate = 1, reset, status, delay }) => {
      const effects = [reset && 'reset', status && `status ${status}`, delay && `wait ${[delay].flat().join('–')}`];
      const part = rate === 1 ? 'all' : `${Math.round(rate * 100)} %`;
      return `${part}: ${effects.filter(Boolean).join(', ')}`;
    })
    .join('; ');

async function arm(name: ChaosName): Promise<void> {
  const armed = await control.armChaos({ name });
  toast(`${name} lasts ${CHAOS[name].for}.`, 'success', disarm(armed));
}

/** Lists of faults by name, which end by themselves. */
export const ChaosPanel = () => (
  <Panel title="Chaos">
    <ul class="templates">
      {CHAOS_NAMES.map((name) => (
        <li key={name} class="chaos">
          <ActionButton icon="faults" action={() => arm(name)}>
            {name}
          </ActionButton>
          <span class="muted">
            {describeChaos(name)}, for {CHAOS[name].for}
          </span>
        </li>
      ))}
    </ul>
  </Panel>
);
