import type { Tool } from '#engine/api/tool.js';
import type { ToolName } from '#vals/lib/names.tools.js';
import { branchTools } from '#vals/projects/branches.tools.js';
import { fileTools } from '#vals/projects/files.tools.js';
import { runTools } from '#vals/projects/runs.tools.js';
import { settingTools } from '#vals/projects/settings.tools.js';
import { skillTools } from '#vals/projects/skills.tools.js';
import { storeTools } from '#vals/projects/stores.tools.js';
import { valTools } from '#vals/projects/vals.tools.js';
import { telemetryTools } from '#vals/telemetry/telemetry.tools.js';

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
