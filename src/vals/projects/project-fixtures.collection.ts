import { Type } from 'typebox';
import type { FilledOf } from '#engine/definition/define.js';
import { Id, key, NOW, nullable, oneOf, optional, record, Time, Url, withDefault } from '#engine/definition/parts.js';
import { mapOf } from '#engine/schema/schema.js';
import { PRIVACIES } from '#vals/vals/val-records.collection.js';
import { FilesInput } from './files.collection.js';
import { BranchName, BranchRef, BranchVersion, OwnerRef, ProjectName, ProjectRef } from './names.collection.js';
import { COMMIT_KINDS } from './project-records.collection.js';

/** Characters of a description of a project. Source: the service's OpenAPI document, as all limits here. */
const LONGEST_DESCRIPTION = 64;
const LONGEST_VARIABLE_KEY = 8_192;
const LONGEST_VALUE = 8_192;
const LONGEST_NOTE = 1_024;

const upTo = (maxLength: number) => Type.String({ maxLength, expected: `a text of at most ${maxLength} characters` });

const CommitTime = optional(Time, 'Creation time. Default: that of the version before it');

const commitFields = {
  kind: withDefault(oneOf(...COMMIT_KINDS), 'multiple', 'What made it'),
  createdAt: CommitTime,
  files: withDefault(FilesInput, {}, 'The files that it changes, by path. Null deletes one'),
  merged: optional(
    record('A version of a branch', {
      branch: key(BranchName, 'A branch of the project'),
      version: key(BranchVersion, 'The version of that branch'),
    }),
    'Of a merge: what it has merged. Default: not known',
  ),
};

const VARIABLE_KEY = '^[A-Za-z_][A-Za-z0-9_]*$';
export const VARIABLE_KEY_EXPECTED = `a key of at most ${LONGEST_VARIABLE_KEY} letters, digits and _ that begins with no digit`;
const VariableKey = Type.String({
  pattern: VARIABLE_KEY,
  maxLength: LONGEST_VARIABLE_KEY,
  expected: VARIABLE_KEY_EXPECTED,
});
export const isVariableKey = (key: string): boolean =>
  key.length <= LONGEST_VARIABLE_KEY && new RegExp(VARIABLE_KEY).test(key);
const VariableValue = nullable(upTo(LONGEST_VALUE));
const VariableNote = nullable(upTo(LONGEST_NOTE));

const EnvValue = Type.Union(
  [
    VariableValue,
    record('A variable', { value: VariableValue, description: Type.Optional(key(VariableNote, 'Default: null')) }),
  ],
  { expected: `a text of at most ${LONGEST_VALUE} characters, or { "value": …, "description": … }` },
);

export const projectSchema = record('A project: files in branches. The API calls it a val', {
  owner: key(OwnerRef, 'Username or id of a user or an organization'),
  name: key(ProjectName, 'Unique among the projects of its owner, ignoring case'),
  privacy: withDefault(oneOf(...PRIVACIES), 'public', 'Who may read it, as for a val'),
  description: withDefault(nullable(upTo(LONGEST_DESCRIPTION)), null, 'What it is for'),
  imageUrl: withDefault(nullable(Url), null, 'URL of a picture'),
  createdAt: optional(Time, 'Creation time. Default: the earliest time of a branch or a commit, or now'),
  id: optional(Id, 'UUID. Default: derived from owner and name'),
  files: optional(FilesInput, 'The files of the branch main by path, in one commit. Default: none'),
  folder: optional(
    Type.String(),
    'Instead of files: a checkout of the project, by its path from the folder of the fixture file',
  ),
  env: optional(mapOf(EnvValue), 'Environment variables by key. Default: none'),
  branches: optional(
    Type.Array(
      record('A branch', {
        name: key(BranchName, 'Unique in the project'),
        from: Type.Optional(key(BranchName, 'The branch that it starts from. Default: main')),
        version: Type.Optional(
          key(BranchVersion, 'The version of that branch that it starts from. Default: the latest'),
        ),
        createdAt: Type.Optional(key(Time, 'Creation time. Default: that of the version that it starts from')),
        commits: Type.Optional(key(Type.Array(record('A commit', commitFields)), 'Oldest first. Default: none')),
      }),
    ),
    'Further branches. Default: none',
  ),
});
export type FilledProject = FilledOf<(typeof projectSchema)['properties']>;

export const branchSchema = record('A branch of a project. The branch main is there without', {
  project: key(ProjectRef, 'The project as owner/name, or by its id'),
  name: key(BranchName, 'Unique in the project'),
  from: optional(nullable(BranchName), 'The branch that it starts from. Null for none. Default: main'),
  version: optional(nullable(BranchVersion), 'The version of that branch that it starts from. Default: the latest'),
  createdAt: optional(Time, 'Creation time. Default: that of the version that it starts from, or of the project'),
  id: optional(Id, 'UUID. Default: derived from project and name'),
});
export type FilledBranch = FilledOf<(typeof branchSchema)['properties']>;

export const commitSchema = record('A commit: changes of files, which make a version of a branch', {
  branch: key(BranchRef, 'The branch as owner/name@branch, or by its id'),
  version: optional(
    BranchVersion,
    'The version that it makes. 0 for the files of a branch whose parent is gone. Default: the next one',
  ),
  ...commitFields,
});
export type FilledCommit = FilledOf<(typeof commitSchema)['properties']>;

export const variableSchema = record('An environment variable of a project', {
  project: key(ProjectRef, 'The project as owner/name, or by its id'),
  key: key(VariableKey, 'Unique in the project'),
  value: withDefault(VariableValue, null, 'Secret value. Null for one that is not known, which is empty'),
  description: withDefault(VariableNote, null, 'What it is for'),
  createdAt: withDefault(Time, NOW, 'Creation time. Default: now'),
  updatedAt: optional(Time, 'Time of its last change. Default: createdAt'),
});
export type FilledVariable = FilledOf<(typeof variableSchema)['properties']>;
