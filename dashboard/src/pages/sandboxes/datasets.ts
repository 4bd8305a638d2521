/** The built-in datasets. The emulator has a folder of fixtures for each. */
export const DATASETS = [
  { name: 'default', content: 'Seven users, 31 vals that import one another, and six days of runs.' },
  { name: 'empty', content: 'One user.' },
  { name: 'busy', content: 'One user with two hundred vals and two thousand runs: for long lists, pages and filters.' },
  { name: 'failures', content: 'Failed runs of every shape, and runs that started others: for logs and alerts.' },
  { name: 'popular', content: 'One val that more than two hundred others like and import: for counts and references.' },
  { name: 'edge-cases', content: 'Longest and empty texts, every alphabet, a user without a username.' },
] as const;
