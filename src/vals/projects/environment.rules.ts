import type { Instant } from '#engine/lib/time.js';
import type { Range } from '#engine/store/collection.js';
import { keyTaken, variableNotFound } from '#vals/lib/errors.rules.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { EnvironmentVariable, Project } from './project-records.collection.js';

/** Lists the environment variables of a project by key. */
export const listVariables = ({ environment }: State, { id }: Project): Range<EnvironmentVariable> =>
  environment.range(id);

function getVariable({ environment }: State | Draft, { id }: Project, key: string): EnvironmentVariable {
  const variable = environment.get(id, key);
  if (!variable) throw variableNotFound();
  return variable;
}

interface VariableSettings {
  readonly value: string;
  readonly description?: string | undefined;
}

/** @throws ApiError 409 when the project has the key already */
export function createVariable(
  draft: Draft,
  { id }: Project,
  { key, value, description }: VariableSettings & { readonly key: string },
  now: Instant,
): EnvironmentVariable {
  if (draft.environment.get(id, key)) throw keyTaken(key);
  const variable: EnvironmentVariable = {
    projectId: id,
    key,
    value,
    description: description ?? null,
    createdAt: now,
    updatedAt: now,
    serial: draft.nextSerial++,
  };
  draft.environment = draft.environment.put(variable);
  return variable;
}

/** Replaces a value. Without a description, the old one stays. @throws ApiError 404 */
export function updateVariable(
  draft: Draft,
  project: Project,
  key: string,
  { value, description }: VariableSettings,
  now: Instant,
): EnvironmentVariable {
  const variable = getVariable(draft, project, key);
  const updated = { ...variable, value, description: description ?? variable.description, updatedAt: now };
  draft.environment = draft.environment.put(updated);
  return updated;
}

/** @throws ApiError 404 */
export function deleteVariable(draft: Draft, project: Project, key: string): void {
  draft.environment = draft.environment.delete(getVariable(draft, project, key));
}
