/** The commands that explain and lint the permission files of agent clients. */

import { Option, type Command } from 'commander'

import { permissionClients } from '../clients.ts'
import { severities } from '../findings/finding.ts'
import { startModes } from '../claude-code/explain/session-mode.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { reportFormats } from '@contextd/shared/cli/report'
import type { ExplainCommandOptions } from './explainers.ts'
import type { PermissionsHost } from './host.ts'
import type { LintOptions } from './lint.ts'

/** The group for a program with other commands too. */
export function createPermissionsCommand(host: PermissionsHost, io: CliIo = processIo()): Command {
  const group = newGroup(
    'permissions',
    'explain and check the permission files of agent clients',
    `${host.program} lint`,
  )
  for (const command of createPermissionsCommands(host, io)) group.addCommand(command)
  return group
}

export function createPermissionsCommands(host: PermissionsHost, io: CliIo): readonly Command[] {
  return [explainCommand(host, io), lintCommand(host, io), rulesCommand(host, io)]
}

function explainCommand(host: PermissionsHost, io: CliIo): Command {
  return newCommand(
    'explain',
    'explain what a client would do with a tool in this folder, and which rule decides',
    `${host.program} explain context7:query-docs --agent researcher`,
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
      (await import('./explain.ts')).explainTool(tool, options, host, io),
    )
}

function lintCommand(host: PermissionsHost, io: CliIo): Command {
  const command = newCommand(
    'lint',
    'find mistakes in settings, hooks, agents, skills, plugins and MCP servers',
    `${host.program} lint --fix --dry-run`,
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
  if (host.queryTools !== undefined)
    command.option('--connect', "start Claude Code's MCP servers and query their tool names")
  return command.action(async (path: string | undefined, options: LintOptions) =>
    (await import('./lint.ts')).lintProject(path, options, host, io),
  )
}

function rulesCommand(host: PermissionsHost, io: CliIo): Command {
  return newCommand(
    'rules',
    'list the lint rules; with an ID, explain one',
    `${host.program} rules mcp-rule-parentheses`,
  )
    .argument('[id]', 'rule ID')
    .action(async (id: string | undefined, options: JsonOption) =>
      (await import('./rules.ts')).showRules(id, options, host, io),
    )
}
