import { useState } from 'preact/hooks';
import { control } from '../lib/api.js';
import { formatNumber } from '../lib/format.js';
import { requests } from '../lib/live.js';
import { at, place, setQuery } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import type { JournalSummary } from '../lib/types.js';
import { ActionButton, Button, Page } from '../ui/elements.js';
import { Menu } from '../ui/menu.js';
import { Conversation } from './requests/conversation.js';
import { RequestDetail } from './requests/detail.js';
import { ExpectDialog } from './requests/expect.js';
import { FilterBar } from './requests/filters.js';
import { Lanes } from './requests/lanes.js';
import { RequestList } from './requests/list.js';
import { WaitingLogin } from './requests/login.js';
import { ChosenBar } from './requests/selection.js';

export function RequestsPage() {
  const [, selected] = place.value.segments;
  const [isExpecting, setExpecting] = useState(false);
  const count = requests.value.length;
  const { data: journal } = useResource<JournalSummary>('/requests/summary?limit=1', 'journal');
  const counted = count >= 1_000 ? 'The last 1,000, newest last' : `${formatNumber(count)}, newest last`;
  const isConversation = selected === undefined && place.value.query.get('view') === 'conversation';
  const open = requests.value.find(({ id }) => id === selected);
  return (
    <Page
      fills
      title="Requests"
      windowTitle={open ? `${open.status || 'reset'} ${open.method} ${open.path} ${open.id}` : 'Requests'}
      subtitle={journal?.bodiesSince ? `${counted}; bodies are complete since ${journal.bodiesSince}` : counted}
      actions={
        <>
          <Button
            pressed={isConversation}
            onClick={() => setQuery({ view: isConversation ? undefined : 'conversation' })}
          >
            Conversation
          </Button>
          <Menu>
            <Button icon="search" onClick={() => setExpecting(true)}>
              Why did nothing match?
            </Button>
            {at.value === undefined && count > 0 && (
              <ActionButton icon="remove" action={() => control.clearRequests()} done="Cleared the list of requests.">
                Clear
              </ActionButton>
            )}
          </Menu>
        </>
      }
    >
      <WaitingLogin />
      <FilterBar />
      <Lanes />
      {isConversation ? (
        <Conversation />
      ) : (
        <div class={selected === undefined ? 'request-split' : 'request-split open'}>
          <RequestList selected={selected} />
          {selected !== undefined && <RequestDetail id={selected} />}
        </div>
      )}
      <ChosenBar />
      {isExpecting && <ExpectDialog route={open?.route ?? ''} onClose={() => setExpecting(false)} />}
    </Page>
  );
}
