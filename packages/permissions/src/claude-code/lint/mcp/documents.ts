/** Documents that tell agents to call tools by wrong names. */

import { basename, relative, sep } from 'node:path'

import { positionAt } from '@contextd/shared/json/text-position'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { groupBy } from '../../../findings/group-by.ts'
import type { ClaudeSetup, McpServer } from '../../setup/setup.ts'
import { documentNames, type DocumentName } from './document-names.ts'
import { meaningOf, origin, runtimeForms } from '../../rules/named-servers.ts'

const documentPrefix: LintRule<ClaudeSetup> = {
  id: 'document-tool-prefix',
  severity: 'warning',
  title: 'A document names a tool with the wrong prefix',
  why: `Models follow \`CLAUDE.md\`, agents and skills. If these name a tool \`mcp__context7__query-docs\` but a plugin provides it as \`mcp__plugin_context7_context7__query-docs\`, models call a name that does not exist, or do not call the tool at all. Documents for humans (a README, a handbook) are reported as notes: agents copy rules and lists of tools from them.

A document that contains both forms is not reported.`,
  *check(setup) {
    const { names: mentioned, leftOut } = documentNames(setup)
    const found = mentioned.flatMap((named): NamedTool[] => {
      const meaning = meaningOf(setup, named.name)
      if (meaning === undefined || !('servers' in meaning)) return []
      const { servers, tool, kind } = meaning
      return [{ ...named, servers, names: runtimeForms(servers, tool), isCorrect: kind !== 'elsewhere' }]
    })
    const byServer = groupBy(found, ({ document, servers }) => `${document.file}\0${servers[0].prefix}`)
    for (const group of byServer.values())
      if (!group.some(({ isCorrect }) => isCorrect)) yield misnamed(setup, group)
    if (leftOut !== undefined) yield notSearched(leftOut)
  },
}

function notSearched(file: string): FindingDetails {
  return {
    file,
    line: 1,
    column: 1,
    severity: 'note',
    message:
      'The project has too much Markdown to search for tool names: this file and all after it were not checked.',
    fix: 'Check individual folders of the project, or let git ignore foreign files.',
  }
}

interface NamedTool extends DocumentName {
  readonly servers: readonly [McpServer, ...McpServer[]]
  /** At runtime. */
  readonly names: readonly string[]
  readonly isCorrect: boolean
}

function misnamed(setup: ClaudeSetup, group: readonly NamedTool[]): FindingDetails {
  const { document, start, name, servers, names } = group[0]!
  const { file, text } = document
  const times = group.length === 1 ? '' : ` (${group.length} places)`
  const forAgents = isForAgents(setup, file)
  const [server] = servers
  return {
    file,
    ...positionAt(text, start),
    ...(!forAgents && { severity: 'note' as const }),
    message: `No tool is named \`${name}\`${times}: \`${server.name}\` ${origin(server)}, so the name is ${names.map((one) => `\`${one}\``).join(' or ')}.`,
    fix: `Write ${names.map((one) => `\`${one}\``).join(' or ')}.`,
    // A README may be correct for other installations.
    ...(forAgents &&
      servers.length === 1 && {
        repairs: group.map((one) => ({
          kind: 'text' as const,
          file,
          start: one.start,
          end: one.start + one.name.length,
          was: one.name,
          text: one.names[0] ?? one.name,
        })),
      }),
  }
}

/** Whether the client itself passes the file to models. */
function isForAgents({ project }: ClaudeSetup, file: string): boolean {
  const isConfiguration = relative(project, file).split(sep).includes('.claude')
  return isConfiguration || /^(?:CLAUDE(?:\.local)?|AGENTS)\.md$/.test(basename(file))
}

export const documentRules: readonly LintRule<ClaudeSetup>[] = [documentPrefix]
