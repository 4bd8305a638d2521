import { Type } from 'typebox';
import type { Row } from '#engine/definition/context.js';
import { defineCollection, type FilledOf } from '#engine/definition/define.js';
import {
  Id,
  Json,
  key,
  nullable,
  oneOf,
  optional,
  record,
  wholeNumber,
  withDefault,
} from '#engine/definition/parts.js';
import { asc, index } from '#engine/store/collection.js';
import { findPathProblem, LONGEST_PATH } from './files.collection.js';
import { loadEach } from './load.collection.js';
import { BranchName, type ProjectBuilder, ProjectRef, writeProject } from './names.collection.js';
import { LOG_LEVELS, type LogEntry, responseIndexes, type SeededResponse } from './response-records.collection.js';

const LogInput = Type.Union(
  [Type.String(), record('A line of a log', { log: Type.String(), level: oneOf(...LOG_LEVELS) })],
  { expected: `a text, or { "log": "…", "level": "error" } with the level ${LOG_LEVELS.join(', ')}` },
);

const schema = record('What a file responds when a tool runs it, since the emulator runs no code', {
  project: key(ProjectRef, 'The project as owner/name, or by its id'),
  file: key(
    Type.String({ minLength: 1, maxLength: LONGEST_PATH, expected: 'a path such as "src/main.ts"' }),
    'Path of the file, which may follow later',
  ),
  branch: withDefault(nullable(BranchName), null, 'Only on this branch. Default: null, for each without its own'),
  result: withDefault(Json, null, 'The value that it returns, or the body of its endpoint'),
  error: withDefault(nullable(Type.String()), null, 'The message with which it fails. Default: null, for a success'),
  status: optional(wholeNumber(200, 599), 'Status of its endpoint. Default: 200, or 500 with an error'),
  logs: withDefault(Type.Array(LogInput), [], 'What it logs: texts, or objects with log and level'),
  id: optional(Id, 'UUID. Default: derived from project, file and branch'),
});
type Filled = FilledOf<(typeof schema)['properties']>;

const nameResponse = (project: string, file: string, branch: string | null): string =>
  `response:${project.toLowerCase()}:${file}${branch === null ? '' : `@${branch}`}`;

const toStatus = (error: string | null): number => (error === null ? 200 : 500);

const toEntry = (input: Filled['logs'][number]): LogEntry =>
  typeof input === 'string' ? { log: input, level: 'log' } : input;

function insert(builder: ProjectBuilder, { record, path }: Row<Filled>): SeededResponse | undefined {
  const { sets } = builder;
  const { file, branch, result, error, status = toStatus(error) } = record;
  const project = builder.find('projects', record.project, `${path}.project`);
  const problem = findPathProblem(file);
  if (problem !== undefined) return builder.report(`${path}.file`, problem);
  if (!project) return undefined;
  if (sets.responses.by.file.get([project.id, file, branch ?? ''])) {
    const where = branch === null ? '' : ` on the branch ${branch}`;
    return builder.report(`${path}.file`, `${file} has a response${where} already; expected one.`);
  }
  const id = builder.toId(record.id, nameResponse(writeProject(sets, project), file, branch));
  if (sets.responses.get(id)) return builder.reportTaken(`${path}.id`, id);
  const made = { id, projectId: project.id, file, branch, result, error, status, logs: record.logs.map(toEntry) };
  const response = { ...made, serial: builder.drawSerial() };
  sets.responses = sets.responses.put(response);
  return response;
}

export const responses = defineCollection(
  {
    name: 'responses',
    title: 'The responses of files that tools run, in place of their code',
    adder: 'response',
    identity: index<SeededResponse>(asc((response) => response.id)),
    indexes: responseIndexes,
    schema,
  },
  {
    references: {
      project: { to: 'projects', id: ({ projectId }) => projectId, find: ({ by }, id) => by.file.range([id]) },
    },
    load: loadEach('responses', insert, ({ id }) => id),
    insert,
    write: (names, { id, projectId, file, branch, result, error, status, logs }) => ({
      project: names.of('projects', projectId),
      ...{ file, branch, result, error, status },
      logs: logs.map(({ log, level }) => (level === 'log' ? log : { log, level })),
      id,
    }),
    abridge: (writing) => ({
      abridge: (_response, { project, file, branch, error }) => ({
        defaults: { id: writing.deriveId(nameResponse(project, file, branch)), status: toStatus(error) },
      }),
    }),
    example: { project: 'ada/site', file: 'main.ts', result: 42, logs: ['Started'] },
    display: (names, { projectId, file, branch }) =>
      `response of ${file} of ${names.of('projects', projectId)}${branch === null ? '' : `@${branch}`}`,
  },
);
