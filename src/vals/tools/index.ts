import type { Tool } from '#engine/api/tool.js';
import { branchTools } from './branches.js';
import { fileTools } from './files.js';
import type { ToolName } from './names.js';
import { runTools } from './runs.js';
import { settingTools } from './settings.js';
import { skillTools } from './skills.js';
import { storeTools } from './stores.js';
import { telemetryTools } from './telemetry.js';
import { valTools } from './vals.js';

export const tools: readonly (Tool & { readonly name: ToolName })[] = [
  valTools,
  fileTools,
  runTools,
  telemetryTools,
  branchTools,
  storeTools,
  settingTools,
  skillTools,
].flat();
