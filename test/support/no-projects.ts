/** What an export has of a state without organizations and projects. */
export const NO_PROJECTS = {
  organizations: [],
  memberships: [],
  projects: [],
  branches: [],
  commits: [],
  environment: [],
  responses: [],
};
