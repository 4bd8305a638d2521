/** What an export has of a state without organizations, projects and logins. */
export const NO_PROJECTS = {
  organizations: [],
  memberships: [],
  projects: [],
  branches: [],
  commits: [],
  environment: [],
  responses: [],
  clients: [],
  grants: [],
};
