/** The rules for Claude Code, in the order of the documentation. */

import type { LintRule } from '../../findings/finding.ts'
import type { ClaudeSetup } from '../setup/setup.ts'
import { deniedToolRules } from './agents/denied-tools.ts'
import { agentKeyRules } from './agents/keys.ts'
import { namesakeRules } from './agents/namesakes.ts'
import { pluginAgentRules } from './agents/plugin-agents.ts'
import { agentServerRules } from './agents/servers.ts'
import { agentToolFormRules } from './agents/tool-forms.ts'
import { agentToolRules } from './agents/tools.ts'
import { hookAnswerRules } from './hooks/answers.ts'
import { hookRules } from './hooks/failing-open.ts'
import { idleHookRules } from './hooks/idle.ts'
import { missingScriptRules } from './hooks/missing-scripts.ts'
import { documentRules } from './mcp/documents.ts'
import { mcpFormRules } from './mcp/mcp-rules.ts'
import { mcpjsonSwitchRules } from './mcp/mcpjson-switches.ts'
import { nameCollisionRules } from './mcp/name-collisions.ts'
import { prefixRules } from './mcp/prefixes.ts'
import { rewrittenNameRules } from './mcp/rewritten-names.ts'
import { serverNameRules } from './mcp/server-names.ts'
import { toolNameLengthRules } from './mcp/tool-name-length.ts'
import { unknownServerRules } from './mcp/unknown-servers.ts'
import { secretRules } from './secrets.ts'
import { deadRuleRules } from './settings/dead-rules.ts'
import { effectRules } from './settings/effect.ts'
import { exactCommandRules } from './settings/exact-commands.ts'
import { foreignSyntaxRules } from './settings/foreign-syntax.ts'
import { linkedPathRules } from './settings/linked-paths.ts'
import { modeRules } from './settings/modes.ts'
import { sandboxRules } from './settings/sandbox.ts'
import { settingsKeyRules } from './settings/settings-keys.ts'
import { shellBypassRules } from './settings/shell-bypass.ts'
import { skillHookRules } from './skills/hooks.ts'
import { skillKeyRules } from './skills/keys.ts'
import { skillNameRules } from './skills/names.ts'
import { skillToolRules } from './skills/tools.ts'
import { skillGrantRules } from './skills/wide-tools.ts'
import { transcriptRules } from './transcripts.ts'
import { problemRules } from './file-problems.ts'

export const claudeCodeRules: readonly LintRule<ClaudeSetup>[] = [
  ...prefixRules,
  ...mcpFormRules,
  ...unknownServerRules,
  ...mcpjsonSwitchRules,
  ...rewrittenNameRules,
  ...toolNameLengthRules,
  ...nameCollisionRules,
  ...serverNameRules,
  ...agentToolRules,
  ...agentToolFormRules,
  ...deniedToolRules,
  ...agentServerRules,
  ...agentKeyRules,
  ...namesakeRules,
  ...pluginAgentRules,
  ...skillGrantRules,
  ...skillToolRules,
  ...skillKeyRules,
  ...skillNameRules,
  ...skillHookRules,
  ...documentRules,
  ...deadRuleRules,
  ...foreignSyntaxRules,
  ...effectRules,
  ...shellBypassRules,
  ...exactCommandRules,
  ...sandboxRules,
  ...linkedPathRules,
  ...modeRules,
  ...settingsKeyRules,
  ...transcriptRules,
  ...secretRules,
  ...hookRules,
  ...missingScriptRules,
  ...hookAnswerRules,
  ...idleHookRules,
  ...problemRules,
]
