/** The files in which a reader takes this sandbox along, by their names in commands. */
export const FILES = {
  session: {
    title: 'Session',
    path: '/session',
    file: 'session.ndjson',
    hint: 'Records, requests and history',
    content: 'the sandbox with its requests and history',
  },
  fixture: {
    title: 'Fixture',
    path: '/state?brief=true',
    file: 'fixture.json',
    hint: 'Records',
    content: 'all records as a fixture',
  },
  har: {
    title: 'HAR',
    path: '/requests.har',
    file: 'requests.har',
    hint: 'Requests, for a network panel',
    content: 'the requests for a network panel (HAR)',
  },
} as const;
