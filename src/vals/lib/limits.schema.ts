/**
 * Limits of the vals API, listed in docs/limits.md. Source of the limits of vals: the service's published OpenAPI documents of June
 * to November 2024; of emails, blobs, SQLite and projects: its document of June 2026.
 */
export const API_LIMITS = {
  // Characters in the name of a val, the code of a version, a readme and a search query.
  name: 48,
  code: 256_000,
  readme: 8_192,
  query: 512,
  // Bytes in a request with an email: attachments of 10 MB in base64, and text.
  email: 16 * 1_048_576,
  // Headers of an email, its attachments, and its addresses for replies.
  emailHeaders: 50,
  emailAttachments: 5,
  emailReplies: 10,
  // Characters of a SQL statement, its arguments, and the statements of a batch.
  sql: 100_000,
  sqlArguments: 500,
  sqlStatements: 500,
  // Bytes in a request with SQL statements: as many as a database has.
  sqlBody: 10 * 1_048_576,
  // Characters in the description of a project, an environment variable and its description.
  projectDescription: 64,
  variable: 8_192,
  variableDescription: 1_024,
  // Branches and traces in a request for telemetry, and characters in the id of a trace.
  telemetryBranches: 20,
  telemetryTraces: 100,
  traceId: 32,
} as const;
