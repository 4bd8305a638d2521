import type { Action } from './api.js';

/** Pragmas that take an argument without effect beyond their request, or with one that the database keeps. */
const PRAGMAS = new Set([
  ...['table_info', 'table_xinfo', 'table_list', 'index_list', 'index_info', 'index_xinfo', 'foreign_key_list'],
  ...['foreign_key_check', 'integrity_check', 'quick_check', 'optimize', 'defer_foreign_keys', 'foreign_keys'],
  ...['user_version', 'application_id'],
]);

const TRANSACTION = 'a transaction ends with its request, so send its statements as one batch';
const TEMPORARY = 'a connection ends with its request, so it has no temporary tables, indexes, views and triggers';
const FILES = 'a database has no files, so ATTACH, DETACH, VACUUM and load_extension are refused';

/**
 * Says why a statement is refused, since its effect would reach beyond the request or the database. Undefined for others.
 * @param first and second the arguments of the action, which depend on it. @param database its name, such as `temp`
 */
export function findRefusal(
  codes: Readonly<Record<Action, number>>,
  action: number,
  first: string | 0,
  second: string | 0,
  database: string | 0,
): string | undefined {
  switch (action) {
    case codes.SQLITE_TRANSACTION:
      return TRANSACTION;
    case codes.SQLITE_PRAGMA: {
      if (database === 'temp') return TEMPORARY;
      const isAllowed = second === 0 || PRAGMAS.has(String(first).toLowerCase());
      return isAllowed ? undefined : `PRAGMA ${first} would change the connection, which ends with its request`;
    }
    case codes.SQLITE_FUNCTION:
      return second === 'load_extension' ? FILES : undefined;
    case codes.SQLITE_ATTACH:
    case codes.SQLITE_DETACH:
      return FILES;
    // With a prefix, as in `CREATE TABLE temp.a`, it is an insert into the schema of temporary tables.
    case codes.SQLITE_INSERT:
    case codes.SQLITE_CREATE_VTABLE:
      return database === 'temp' ? TEMPORARY : undefined;
    case codes.SQLITE_CREATE_TEMP_INDEX:
    case codes.SQLITE_CREATE_TEMP_TABLE:
    case codes.SQLITE_CREATE_TEMP_TRIGGER:
    case codes.SQLITE_CREATE_TEMP_VIEW:
      return TEMPORARY;
    default:
      return undefined;
  }
}
