import { base, control } from '../../lib/api.js';
import { toFaultOptions } from '../../lib/faults.js';
import { formatNumber } from '../../lib/format.js';
import { toCurl } from '../../lib/snippets.js';
import type { FaultRecord } from '../../lib/types.js';
import { ActionButton, Badge, CopyButton, Empty, Panel } from '../../ui/elements.js';
import { describeCondition, describeEffect, toFailCall } from './draft.js';

/** Counts as the navigation does: `Armed: 2, used up: 1`. */
function describeNumber(faults: readonly FaultRecord[]): string {
  const usedUp = faults.filter(({ remaining }) => remaining === 0).length;
  const armed = faults.length === usedUp ? 'Armed' : `Armed: ${formatNumber(faults.length - usedUp)}`;
  return usedUp === 0 ? armed : `${armed}, used up: ${formatNumber(usedUp)}`;
}

/** The armed faults with their counters, which change as requests arrive. */
export const FaultList = ({
  faults,
  isReadOnly,
}: {
  readonly faults: readonly FaultRecord[];
  readonly isReadOnly: boolean;
}) => (
  <Panel
    title={describeNumber(faults)}
    actions={
      !isReadOnly &&
      faults.length > 0 && (
        <ActionButton kind="danger" action={() => control.disarmAllFaults()} done="Disarmed all faults.">
          Disarm all
        </ActionButton>
      )
    }
  >
    {faults.length === 0 ? (
      <Empty title="No fault is armed">
        <p>
          {isReadOnly ? 'None was armed then.' : 'Requests get their true responses. Arm a fault by a template above.'}
        </p>
      </Empty>
    ) : (
      <div class="table-scroll nowrap cards">
        <table>
          <thead>
            <tr>
              <th scope="col">Fault</th>
              <th scope="col">Route</th>
              <th scope="col">Effect</th>
              <th scope="col">Which requests</th>
              <th scope="col" class="number">
                Seen
              </th>
              <th scope="col" class="number">
                Hits
              </th>
              <th scope="col" class="number">
                Remaining
              </th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {faults.map((fault) => (
              <FaultRow key={fault.id} fault={fault} isReadOnly={isReadOnly} />
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Panel>
);

const FaultRow = ({ fault, isReadOnly }: { readonly fault: FaultRecord; readonly isReadOnly: boolean }) => {
  const { id, route, seen, hits, remaining } = fault;
  return (
    <tr class={remaining === 0 ? 'muted' : ''}>
      <td class="mono" data-label="Fault">
        {id}
      </td>
      <td class="mono" data-label="Route">
        {route ?? '*'}
      </td>
      <td class="wraps" data-label="Effect">
        {describeEffect(fault)}
      </td>
      <td class="wraps" data-label="Which requests">
        {describeCondition(fault)}
      </td>
      <td class="number" data-label="Seen">
        {formatNumber(seen)}
      </td>
      <td class="number" data-label="Hits">
        {formatNumber(hits)}
      </td>
      <td class="number" data-label="Remaining">
        {remaining === null ? 'all' : remaining === 0 ? <Badge>used up</Badge> : formatNumber(remaining)}
      </td>
      <td>
        <div class="row-actions">
          <CopyButton text={() => toFailCall(toFaultOptions(fault))} label={`Copy ${id} as emulator.fail(…)`}>
            fail()
          </CopyButton>
          <CopyButton text={() => toArmCommand(fault)} label={`Copy ${id} as curl`}>
            curl
          </CopyButton>
          {!isReadOnly && (
            <ActionButton icon="close" kind="plain" label={`Disarm ${id}`} action={() => control.disarmFault({ id })} />
          )}
        </div>
      </td>
    </tr>
  );
};

const toArmCommand = (fault: FaultRecord): string =>
  toCurl(
    {
      method: 'POST',
      path: '/_emulator/faults',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(toFaultOptions(fault)),
    },
    base,
  );
