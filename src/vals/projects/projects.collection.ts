import type { Fields, Names, Row } from '#engine/definition/context.js';
import { defineCollection, type Replacing } from '#engine/definition/define.js';
import { didYouMean } from '#engine/lib/messages.js';
import { toTimestamp } from '#engine/lib/time.js';
import { asc, index } from '#engine/store/collection.js';
import { insertVariable, listVariableRows } from './environment.collection.js';
import { LONGEST_FILE, MOST_FILES } from './files.collection.js';
import { loadProjects } from './load.collection.js';
import {
  expectOwner,
  findProject,
  getOwner,
  getOwnerHandle,
  type ProjectBuilder,
  splitProject,
  writeProject,
} from './names.collection.js';
import { makeBranches, nameProject, putProject, startProject } from './pending.collection.js';
import { type FilledProject, projectSchema } from './project-fixtures.collection.js';
import { type Project, type Projects, projectIndexes } from './project-records.collection.js';

/** What only a new project is made of. */
const CONTENT = ['files', 'folder', 'env', 'branches'] as const;

/** Makes a project of a fixture without branches, and puts it among the others. */
function start(builder: ProjectBuilder, row: Row<FilledProject>) {
  const { sets } = builder;
  const owner = expectOwner(builder, row.record.owner, `${row.path}.owner`, false);
  if (!owner) return undefined;
  const pending = startProject(builder, row, owner);
  const { name } = row.record;
  if (sets.projects.by.name.get([owner.id, name.toLowerCase()])) return builder.reportTaken(`${row.path}.name`, name);
  if (sets.projects.get(pending.id) ?? sets.users.get(pending.id)) {
    return builder.reportTaken(`${row.path}.id`, pending.id);
  }
  return { pending, project: putProject(builder, pending) };
}

function insert(builder: ProjectBuilder, row: Row<FilledProject>): Project | undefined {
  const started = start(builder, row);
  if (!started) return undefined;
  const { pending, project } = started;
  makeBranches(builder, project, pending);
  for (const variable of listVariableRows(row)) insertVariable(builder, variable, project);
  return project;
}

/** Writes a project in place of `old`, with the branches and variables that it has. */
function replace(
  { sets, insert: insertIn }: Replacing<Project, FilledProject> & { readonly sets: Projects },
  fixture: Fields,
  old: Project,
): Project {
  sets.projects = sets.projects.delete(old);
  return insertIn(
    { createdAt: toTimestamp(old.createdAt), ...fixture },
    {
      insert(builder: ProjectBuilder, row) {
        for (const key of CONTENT) {
          if (row.record[key] !== undefined) {
            builder.report(`${row.path}.${key}`, 'expected for a new project only; change its records instead.');
          }
        }
        return start(builder, row)?.project;
      },
    },
  );
}

export const projects = defineCollection(
  {
    name: 'projects',
    title: 'The projects: files in branches, which the API calls vals',
    adder: 'project',
    identity: index<Project>(asc((record) => record.id)),
    indexes: projectIndexes,
    schema: projectSchema,
  },
  {
    references: {
      owner: {
        to: 'users',
        orTo: 'organizations',
        id: ({ ownerId }) => ownerId,
        find: ({ by }, id) => by.owner.range([id]),
      },
    },
    naming: {
      write: writeProject,
      find: findProject,
      usage: ' Name it "owner/name" or by its id.',
      suggest: (sets: Projects, reference) =>
        didYouMean(
          reference,
          Array.from(sets.projects, (project) => `${getOwnerHandle(getOwner(sets, project))}/${project.name}`),
        ),
      aliases(sets: Projects, reference) {
        const key = splitProject(sets, reference).join('/');
        return [key, key.replace(/^[^/]*/, '')];
      },
      // The owner may be any.
      alias: ({ name }) => (typeof name === 'string' ? `/${name}`.toLowerCase() : undefined),
    },
    load: loadProjects,
    insert,
    replace,
    unwritten: CONTENT,
    folders: { ignoreFile: '.vtignore', mostFiles: MOST_FILES, longestText: LONGEST_FILE },
    write({ sets }: Names & { readonly sets: Projects }, project) {
      return {
        owner: getOwnerHandle(getOwner(sets, project)),
        name: project.name,
        id: project.id,
        privacy: project.privacy,
        description: project.description,
        imageUrl: project.imageUrl,
        createdAt: toTimestamp(project.createdAt),
      };
    },
    abridge: (writing) => ({
      abridge: (_project, { owner, name }) => ({
        defaults: { id: writing.deriveId(nameProject(`${owner}/${name}`)) },
      }),
    }),
    related: (sets: Projects, project) => [
      ...Array.from(sets.branches.by.project.range([project.id]), (branch) => ['branches', branch] as const),
      ...Array.from(sets.environment.range(project.id), (variable) => ['environment', variable] as const),
      ...Array.from(sets.responses.by.file.range([project.id]), (response) => ['responses', response] as const),
    ],
    example: { owner: 'ada', name: 'site', files: { 'main.ts': 'export const limit = 42;' } },
    display: (names, { id }) => names.of('projects', id),
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
  },
);
