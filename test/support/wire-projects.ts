import { BRANCH_IDS, FILE_IDS, ORGANIZATION_IDS, PROJECT_IDS } from './wire-fixtures.js';

// What random requests about projects are made of.

const NO_ID = '99999999-0000-4000-8000-000000000000';
/** Values of path parameters of projects, by name. */
export const PROJECT_PARAMS: Readonly<Record<string, readonly string[]>> = {
  val_id: [...PROJECT_IDS, PROJECT_IDS[0] ?? '', NO_ID],
  branch_id: [...BRANCH_IDS, NO_ID],
  file_id: [...FILE_IDS, NO_ID],
  org_id: [...ORGANIZATION_IDS, NO_ID],
  key: ['API_KEY', 'FRESH', 'hello', 'a%2Fb', 'x'.repeat(512), 'x'.repeat(513)],
};
/** Values of query parameters that need data, by name. */
export const QUERIES: Readonly<Record<string, readonly string[]>> = {
  path: ['', 'main.ts', 'src', 'src/a.ts', 'src%2Fnew.ts', 'none/a.ts', '..', 'a//b', '%00', 'x%20y'],
  branch_id: [...BRANCH_IDS, NO_ID],
  user_id: [NO_ID],
  userId: [NO_ID],
  file_id: [...FILE_IDS, NO_ID],
  branch_ids: [...BRANCH_IDS, NO_ID],
  trace_ids: ['10000000000040008000000000000001', 'x'.repeat(31)],
  direction: ['asc', 'desc', 'up'],
  order_by: ['start_time', 'end_time', ''],
  start: ['2024-06-11T22:00:00Z', '2024-06-11T22:00:00.000000001Z', 'yesterday'],
  end: ['2024-06-11T22:00:00Z', '2024-06-11T21:59:59.999999999Z', 'yesterday'],
};
export const CONDITIONS = ['if-none-match', 'if-match', 'if-modified-since', 'if-unmodified-since'];
export const CONDITION_VALUES = [
  '*',
  '*',
  '*',
  '"x"',
  'W/"x"',
  'Tue, 11 Jun 2024 22:05:12 GMT',
  'Sat, 01 Jan 2000 00:00:00 GMT',
  'x',
];
/** The parts of projects. */
export const PROJECTS: Readonly<Record<string, readonly unknown[]>> = {
  description: ['Pages', 'x'.repeat(65)],
  orgId: [...ORGANIZATION_IDS, NO_ID],
  branchId: [...BRANCH_IDS, NO_ID],
  content: ['3', '', null, 'a\0b', 'x'.repeat(80_001)],
  parent_path: [null, '', 'src', 'none', '..', 'main.ts'],
  key: ['API_KEY', 'FRESH', '1'],
  value: ['s3cret', ''],
};
