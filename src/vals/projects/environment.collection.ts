import type { Row } from '#engine/definition/context.js';
import { defineCollection } from '#engine/definition/define.js';
import { formatValue, joinPath } from '#engine/lib/messages.js';
import { inSteps, sortInSteps } from '#engine/lib/steps.js';
import { toTimestamp } from '#engine/lib/time.js';
import { asc, index } from '#engine/store/collection.js';
import type { ProjectLoading } from './load.collection.js';
import { findProject, type ProjectBuilder } from './names.collection.js';
import {
  type FilledProject,
  type FilledVariable,
  isVariableKey,
  VARIABLE_KEY_EXPECTED,
  variableSchema,
} from './project-fixtures.collection.js';
import type { EnvironmentVariable, Project, Projects } from './project-records.collection.js';

interface VariableLoading extends Omit<ProjectLoading, 'rows'> {
  rows(collection: 'projects'): Iterable<Row<FilledProject>>;
  rows(collection: 'environment'): Iterable<Row<FilledVariable>>;
}

/** A variable of a project, whose record may name it. */
type VariableRow = Row<Omit<FilledVariable, 'project'>> & {
  /** Where to report that the project has its key already. */
  readonly keyPath: string;
};

export const listVariableRows = ({
  record: { env = {}, createdAt = '+0s' },
  path,
}: Row<FilledProject>): VariableRow[] =>
  Object.entries(env).map(([key, input]) => {
    const { value, description = null } = typeof input === 'object' && input !== null ? input : { value: input };
    const keyPath = joinPath(`${path}.env`, key);
    return { record: { key, value, description, createdAt }, path: keyPath, keyPath };
  });

/** Makes a variable of a project, and puts it among the others. */
export function insertVariable(
  builder: ProjectBuilder,
  { record, path, keyPath }: VariableRow,
  { id: projectId }: Project,
): EnvironmentVariable | undefined {
  const { sets } = builder;
  const { key, value, description } = record;
  if (!isVariableKey(key)) {
    return builder.report(keyPath, `found the key ${formatValue(key)}; expected ${VARIABLE_KEY_EXPECTED}.`);
  }
  if (sets.environment.get(projectId, key)) return builder.reportTaken(keyPath, key);
  const createdAt = builder.toInstant(record.createdAt, builder.now, `${path}.createdAt`);
  const updatedAt = builder.toInstant(record.updatedAt, createdAt, `${path}.updatedAt`);
  const serial = builder.drawSerial();
  const variable = { projectId, key, value: value ?? '', description, createdAt, updatedAt, serial };
  sets.environment = sets.environment.put(variable);
  return variable;
}

const getVariableId = ({ projectId, key }: EnvironmentVariable): string => `${projectId}:${key}`;

function insert(builder: ProjectBuilder, { record, path }: Row<FilledVariable>): EnvironmentVariable | undefined {
  const project = builder.find('projects', record.project, `${path}.project`);
  return project && insertVariable(builder, { record, path, keyPath: `${path}.key` }, project);
}

/** A variable in fixture format. Its value is null unless an export asks for secrets. */
export interface ExportedVariable {
  readonly project: string;
  readonly key: string;
  readonly value: string | null;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Identity: project and key. */
export const environment = defineCollection(
  {
    name: 'environment',
    title: 'The environment variables of the projects',
    adder: 'environmentVariable',
    plural: 'environment variables',
    identity: index<EnvironmentVariable>(
      asc((record) => record.projectId),
      asc((record) => record.key),
    ),
    indexes: {},
    schema: variableSchema,
  },
  {
    references: {
      project: { to: 'projects', id: ({ projectId }) => projectId, find: (variables, id) => variables.range(id) },
    },
    secrets: ['value'],
    withheld: ['value'],
    *load(loading: VariableLoading) {
      yield* inSteps(loading.rows('projects'), (row) => {
        const project = findProject(loading.sets, `${row.record.owner}/${row.record.name}`);
        for (const variable of project ? listVariableRows(row) : []) {
          const made = project && insertVariable(loading, variable, project);
          if (made) loading.onRecord(variable.path, getVariableId(made));
        }
      });
      yield* inSteps(loading.rows('environment'), (row) => {
        const variable = insert(loading, row);
        if (variable) loading.onRecord(row.path, getVariableId(variable));
      });
    },
    insert,
    // As the API lists them: a variable keeps its place when it is written back as a separate row.
    *select(variables, { projects }: Projects) {
      const sorted = yield* sortInSteps(projects, (a, b) => a.serial - b.serial);
      return sorted.flatMap(({ id }) => [...variables.range(id)]);
    },
    write: (names, { projectId, key, value, description, createdAt, updatedAt }): ExportedVariable => ({
      project: names.of('projects', projectId),
      key,
      value,
      description,
      createdAt: toTimestamp(createdAt),
      updatedAt: toTimestamp(updatedAt),
    }),
    abridge: () => ({ abridge: (_variable, { createdAt }) => ({ defaults: { updatedAt: createdAt } }) }),
    example: { project: 'ada/site', key: 'API_KEY', value: 's3cret' },
    display: (names, { projectId, key }) => `variable ${key} of ${names.of('projects', projectId)}`,
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
  },
);
