import { formatCount } from '#engine/lib/text.js';
import type { ControlOutput } from '../../client/control-client.js';
import { flag } from '../command.js';
import { parseInteger } from '../criteria.js';
import { formatTable } from '../io.js';
import { remoteCommand } from '../remote.js';
import { rethrowAsAssertion } from '../rethrow.js';

type Addresses = ControlOutput<'listEmails'>[number]['to'];

const formatAddresses = (addresses: Addresses): string => addresses.map(({ email }) => email).join(', ');

export const emails = remoteCommand({
  args: { id: { type: 'string', describe: 'Print this email with its attachments: an id or its start, last, -2' } },
  flags: {
    user: flag('Only emails that this user sent'),
    from: flag('Only emails whose sender has this part'),
    to: flag('Only emails to an address or name with this part'),
    subject: flag('Only emails whose subject has this part'),
    text: flag('Only emails whose text has this part'),
    limit: {
      ...flag('Show the last N emails (default: all)'),
      coerce: parseInteger('limit', 'a number of emails, at least 1', 1),
    },
    times: {
      ...flag('Assert that there are so many, with the near misses if not'),
      coerce: parseInteger('times', 'a number of emails, at least 0', 0),
      conflicts: ['limit'],
    },
  },
  examples: {
    '$0 --to grace@example.com': 'the emails to one address, newest last',
    '$0 last | jq -r .links[0].url': 'the first link of the last one; .codes[0] is its code',
    '$0 --to grace@example.com --times 1': 'exit code 0 if there is one, else 1 and the near misses',
    '$0 last': 'the last one, with its bodies and attachments',
  },
  async run({ id, user, from, to, subject, text, limit, times }, { control, io }) {
    if (id !== undefined) {
      const value = await control.getEmail({ id });
      return { value, text: JSON.stringify(value, undefined, 2) };
    }
    if (times !== undefined) {
      await control.expectEmail({ user, from, to, subject, text, times }).catch(rethrowAsAssertion);
      return { text: `${formatCount(times, 'email')}, as expected.` };
    }
    const value = await control.listEmails({ user, from, to, subject, text, limit });
    const rows = value.map((email) => ({
      ...{ id: email.id, time: email.time, user: email.user, to: formatAddresses(email.to) },
      subject: email.subject,
    }));
    return { value, text: formatTable(io, rows, 'No emails.', 'subject') };
  },
});
