/** Explains a tool by the rules of each client, through one interface. */

import { resolve } from 'node:path'

import { claudeAgents } from '../claude-code/explain/agent-tools.ts'
import { missingPluginsNote } from '../claude-code/explain/case.ts'
import { explain } from '../claude-code/explain/explain.ts'
import { runtimeNames } from '../claude-code/explain/runtime-name.ts'
import type { StartMode } from '../claude-code/explain/session-mode.ts'
import { explainOpenCode } from '../opencode/explain/explain.ts'
import { openCodeNames } from '../opencode/explain/runtime-name.ts'
import { refusals } from '../opencode/lint/rules.ts'
import { rulesetsOf } from '../opencode/ruleset.ts'
import { serversIn } from '../opencode/written.ts'
import type { FileProblem } from '../files/client-files.ts'
import type { PermissionClient } from '../clients.ts'
import type { PermissionExplanation, RuntimeNames } from '../findings/explanation.ts'
import { readClaudeSetup, readOpenCode, type ReadSetupsOptions } from '../read-setups.ts'
import { CommonError } from '@contextd/shared/errors/common-error'
import type { JsonOption } from '@contextd/shared/cli/output'
import type { BrokenFile } from './print-answer.ts'

export interface ExplainCommandOptions extends JsonOption {
  readonly client?: PermissionClient
  readonly agent?: string
  readonly mode?: StartMode
  readonly cliAllow?: readonly string[]
  readonly cliDeny?: readonly string[]
  readonly pluginDir?: readonly string[]
  readonly addDir?: readonly string[]
}

/** What differs between the clients. */
export interface Explainer {
  readonly client: string
  /** Its non-interactive command. */
  readonly unattended: string
  /** Examples of its tool names. */
  readonly forms: string
  readonly agents: readonly string[]
  /** Names of its MCP servers. */
  readonly servers: readonly string[]
  /** Servers that cannot be known, as the end of a sentence. */
  readonly unknown: string
  /** Entries it cannot use. */
  readonly broken: readonly BrokenFile[]
  readonly names: (asked: string) => RuntimeNames
  readonly explain: (tool: string) => PermissionExplanation
}

export function ofClaudeCode(reading: ReadSetupsOptions, options: ExplainCommandOptions): Explainer {
  const { agent, mode, cliAllow = [], cliDeny = [], pluginDir = [], addDir = [] } = options
  const setup = readClaudeSetup({
    ...reading,
    pluginFolders: pluginDir.map((folder) => resolve(reading.cwd, folder)),
    addedFolders: addDir.map((folder) => resolve(reading.cwd, folder)),
  })
  const question = {
    cliAllow,
    cliDeny,
    ...(agent !== undefined && { agent }),
    ...(mode !== undefined && { mode }),
  }
  return {
    client: 'Claude Code',
    unattended: 'claude -p',
    forms: 'Bash, Read(./.env), mcp__<server>__<tool>',
    agents: [...setup.agents.map(({ name }) => name), ...claudeAgents],
    servers: setup.servers.map(({ name }) => name),
    unknown: missingPluginsNote(setup.missingPlugins),
    broken: brokenFiles(setup.problems),
    names: (asked) => runtimeNames(setup, asked),
    explain: (tool) => explain(setup, { ...question, tool }),
  }
}

export function ofOpenCode(reading: ReadSetupsOptions, options: ExplainCommandOptions): Explainer {
  const { agent, mode, cliAllow, cliDeny, pluginDir, addDir } = options
  const flags = {
    '--mode': mode,
    '--cli-allow': cliAllow,
    '--cli-deny': cliDeny,
    '--plugin-dir': pluginDir,
    '--add-dir': addDir,
  }
  const unsupported = Object.entries(flags).find(([, value]) => value !== undefined)
  if (unsupported !== undefined)
    throw new CommonError('USAGE', {
      problem: `${unsupported[0]} is for Claude Code only, not OpenCode`,
    })
  const setup = readOpenCode(reading)
  return {
    client: 'OpenCode',
    unattended: 'opencode run',
    forms: 'bash, read(./.env), <server>_<tool>',
    agents: [...rulesetsOf(setup).agents.keys()],
    servers: serversIn(setup),
    unknown: '',
    broken: [...brokenFiles(setup.problems), ...refusals(setup)],
    names: (asked) => openCodeNames(setup, asked),
    explain: (tool) => explainOpenCode(setup, { tool, ...(agent !== undefined && { agent }) }),
  }
}

/** Without unread files, unless they are meant to deny something. */
function brokenFiles(problems: readonly FileProblem[]): FileProblem[] {
  return problems.filter(({ kind, severity }) => kind !== 'unread' || severity === 'error')
}
