import { projectBlobRoutes } from '#vals/blobs/blobs.routes.js';
import { organizationRoutes } from '#vals/organizations/organizations.routes.js';
import { branchRoutes } from '#vals/projects/branches.routes.js';
import { environmentRoutes } from '#vals/projects/environment.routes.js';
import { fileRoutes } from '#vals/projects/files.routes.js';
import { projectRoutes } from '#vals/projects/projects.routes.js';

export const v2Routes = [
  projectRoutes,
  branchRoutes,
  fileRoutes,
  environmentRoutes,
  organizationRoutes,
  projectBlobRoutes,
].flat();
