/** `ctxd permissions`: explain and lint the permission files of agent clients. */

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
    'explain what a client would do with a tool in this folder, and which rule decides',
    'ctxd permissions explain context7:query-docs --agent researcher',
  )
    .argument(
      '<tool>',
      "the client's name (Bash(npm test), mcp__context7__query-docs) or <server>:<tool> (context7:query-docs)",
    )
    .addOption(
      new Option('--client <client>', 'the client to explain')
        .choices(permissionClients)
        .default('claude-code'),
    )
    .option('--agent <name>', 'for this subagent instead of the main conversation')
    .addOption(
      new Option('--mode <mode>', 'permission mode; the one in the settings by default').choices(startModes),
    )
    .option('--cli-allow <rule...>', 'as if the client were started with --allowedTools and these rules')
    .option('--cli-deny <rule...>', 'as if the client were started with --disallowedTools and these rules')
    .option('--plugin-dir <folder...>', 'as if the client were started with these plugins')
    .option('--add-dir <folder...>', 'as if the client had these additional folders')
    .action(async (tool: string, options: ExplainCommandOptions) =>
      (await import('./permissions/explain.ts')).explainTool(tool, options, io),
    )
}

function lintCommand(io: CliIo): Command {
  return newCommand(
    'lint',
    'find mistakes in settings, hooks, agents, skills, plugins and MCP servers',
    'ctxd permissions lint --fix --dry-run',
  )
    .argument('[path]', 'the project (default: current directory)')
    .option('--fix', 'apply fixes that grant nothing')
    .option('--dry-run', 'with --fix: show the changes without writing them')
    .addOption(new Option('--format <format>', 'report format; text by default').choices(reportFormats))
    .option('--output <file>', 'write the report to this file')
    .addOption(new Option('--client <client>', 'only the files of this client').choices(permissionClients))
    .addOption(
      new Option('--severity <severity>', 'only findings of at least this severity').choices(severities),
    )
    .option('--ignore <rule...>', 'ignore this rule; <rule>:<file> for one file')
    .addOption(
      new Option('--fail-on <severity>', 'minimum severity for exit code 1; error by default').choices([
        'error',
        'warning',
        'never',
      ]),
    )
    .option('--plugin-dir <folder...>', 'as if Claude Code were started with these plugins')
    .option('--add-dir <folder...>', 'as if Claude Code had these additional folders')
    .option('--connect', "start Claude Code's MCP servers and query their tool names")
    .action(async (path: string | undefined, options: LintOptions) =>
      (await import('./permissions/lint.ts')).lintProject(path, options, io),
    )
}

function rulesCommand(io: CliIo): Command {
  return newCommand(
    'rules',
    'list the lint rules; with an ID, explain one',
    'ctxd permissions rules mcp-rule-parentheses',
  )
    .argument('[id]', 'rule ID')
    .action(async (id: string | undefined, options: JsonOption) =>
      (await import('./permissions/rules.ts')).showRules(id, options, io),
    )
}
