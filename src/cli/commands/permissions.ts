/** `ctxd permissions`: what the permission files of agent clients do, and what is wrong with them. */

import { Option, type Command } from 'commander'

import { permissionClients } from '../../clients/permissions/clients.ts'
import { severities } from '../../clients/permissions/finding.ts'
import { startModes } from '../../clients/claude-code/permissions/explain/session-mode.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '../ui/output.ts'
import { reportFormats } from '../ui/report.ts'
import type { ExplainCommandOptions } from './permissions/explainers.ts'
import type { LintOptions } from './permissions/lint.ts'

export function permissionsCommand(io: CliIo = processIo()): Command {
  return newGroup(
    'permissions',
    'explain and check the permission files of agent clients',
    'ctxd permissions lint',
  )
    .addCommand(explainCommand(io))
    .addCommand(lintCommand(io))
    .addCommand(rulesCommand(io))
}

function explainCommand(io: CliIo): Command {
  return newCommand(
    'explain',
    'what a client would do with a tool in this folder, and because of which rule',
    'ctxd permissions explain context7:query-docs --agent researcher',
  )
    .argument(
      '<tool>',
      'as the client names it (Bash(npm test), mcp__context7__query-docs) or as you do (context7:query-docs)',
    )
    .addOption(
      new Option('--client <client>', 'whose rules: Claude Code, or OpenCode')
        .choices(permissionClients)
        .default('claude-code'),
    )
    .option('--agent <name>', 'for this subagent; without it, for the main conversation')
    .addOption(
      new Option('--mode <mode>', 'the permission mode; the one of the settings by default').choices(
        startModes,
      ),
    )
    .option('--cli-allow <rule...>', 'as if the client were started with --allowedTools and these rules')
    .option('--cli-deny <rule...>', 'as if the client were started with --disallowedTools and these rules')
    .option('--plugin-dir <folder...>', 'as if the client were started with these plugins')
    .option('--add-dir <folder...>', 'as if the client were given these folders beside the project')
    .action(async (tool: string, options: ExplainCommandOptions) =>
      (await import('./permissions/explain.ts')).explainTool(tool, options, io),
    )
}

function lintCommand(io: CliIo): Command {
  return newCommand(
    'lint',
    'find what does not work as it is written in settings, hooks, agents, skills, plugins and MCP servers',
    'ctxd permissions lint --fix --dry-run',
  )
    .argument('[path]', 'the project; the folder you are in by default')
    .option('--fix', 'correct what can be corrected without granting anything')
    .option('--dry-run', 'with --fix: show what would change and change nothing')
    .addOption(
      new Option('--format <format>', 'how the report is written; text by default').choices(reportFormats),
    )
    .option('--output <file>', 'write the report to this file')
    .addOption(new Option('--client <client>', 'only the files of this client').choices(permissionClients))
    .addOption(
      new Option('--severity <severity>', 'only findings that are at least this bad').choices(severities),
    )
    .option('--ignore <rule...>', 'leave out what this rule finds; <rule>:<file> for one file')
    .addOption(
      new Option('--fail-on <severity>', 'what makes it exit with 1; error by default').choices([
        'error',
        'warning',
        'never',
      ]),
    )
    .option('--plugin-dir <folder...>', 'as if Claude Code were started with these plugins')
    .option('--add-dir <folder...>', 'as if Claude Code were given these folders beside the project')
    .option('--connect', 'start the MCP servers of Claude Code and ask for the names of their tools')
    .action(async (path: string | undefined, options: LintOptions) =>
      (await import('./permissions/lint.ts')).lintProject(path, options, io),
    )
}

function rulesCommand(io: CliIo): Command {
  return newCommand(
    'rules',
    'what the linter looks for; with an id, why it matters',
    'ctxd permissions rules mcp-rule-parentheses',
  )
    .argument('[id]', 'the rule')
    .action(async (id: string | undefined, options: JsonOption) =>
      (await import('./permissions/rules.ts')).showRules(id, options, io),
    )
}
