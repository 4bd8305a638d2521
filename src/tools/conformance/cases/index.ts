import type { Case, Needs } from '../case.js';
import { activityCases, activityNeeds } from './activity.js';
import { addressCases } from './addresses.js';
import { boundCases } from './bounds.js';
import { branchCases } from './branches.js';
import { creationCases } from './creation.js';
import { deletedVersionCases } from './deleted-versions.js';
import { environmentCases } from './environment.js';
import { fileReadCases } from './file-reads.js';
import { fileCases } from './files.js';
import { generalCases } from './general.js';
import { listedValCases } from './listed-vals.js';
import { listCases, listNeeds } from './lists.js';
import { mcpCases } from './mcp.js';
import { operationCases } from './operations.js';
import { projectOperationCases } from './project-operations.js';
import { projectCases } from './projects.js';
import { serviceCases } from './services.js';
import { sqliteCases } from './sqlite.js';
import { standardModuleCases } from './standard-modules.js';
import { telemetryCases, telemetryNeeds } from './telemetry.js';
import { userCases } from './users.js';
import { valCases, valNeeds } from './vals.js';
import { versionCases } from './versions.js';
import { visibilityCases } from './visibility.js';
import { writeCases } from './writes.js';

/** All that cases need of an account. */
export const NEEDS: Needs = { ...valNeeds, ...activityNeeds, ...listNeeds, ...telemetryNeeds };

/** All cases, by hand for their order: docs/fidelity.md names the first of each rule, and general cases come first. */
export const CASES: readonly Case[] = [
  ...generalCases,
  ...userCases,
  ...creationCases,
  ...valCases,
  ...versionCases,
  ...deletedVersionCases,
  ...activityCases,
  ...listCases,
  ...listedValCases,
  ...telemetryCases,
  ...serviceCases,
  ...sqliteCases,
  ...standardModuleCases,
  ...projectCases,
  ...branchCases,
  ...fileReadCases,
  ...fileCases,
  ...environmentCases,
  ...addressCases,
  ...mcpCases,
  ...operationCases,
  ...projectOperationCases,
  ...visibilityCases,
  ...writeCases,
  ...boundCases,
];
