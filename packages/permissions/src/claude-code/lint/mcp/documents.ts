/** Documents that tell agents to call tools by names that these do not have. */

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
  why: `What stands in \`CLAUDE.md\`, in agents and in skills is what a model goes by. A tool that is named there as \`mcp__context7__query-docs\` while a plugin brings it as \`mcp__plugin_context7_context7__query-docs\` is called by a name that does not exist, or not at all. Documents for people (a README, a handbook) are mentioned as a note: agents copy rules and lists of tools from them.

A document that names both forms is left alone.`,
  *check(setup) {
    const { names: written, leftOut } = documentNames(setup)
    const found = written.flatMap((named): NamedTool[] => {
      const meaning = meaningOf(setup, named.name)
      if (meaning === undefined || !('servers' in meaning)) return []
      const { servers, tool, kind } = meaning
      return [{ ...named, servers, names: runtimeForms(servers, tool), isRight: kind !== 'elsewhere' }]
    })
    const alike = groupBy(found, ({ document, servers }) => `${document.file}\0${servers[0].prefix}`)
    for (const group of alike.values())
      if (!group.some(({ isRight }) => isRight)) yield misnamed(setup, group)
    if (leftOut !== undefined) yield notRead(leftOut)
  },
}

function notRead(file: string): FindingDetails {
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
  /** What it is called at runtime. */
  readonly names: readonly string[]
  readonly isRight: boolean
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
    message: `No tool is called \`${name}\`${times}: \`${server.name}\` ${origin(server)}, so it is ${names.map((one) => `\`${one}\``).join(' or ')}.`,
    fix: `Write ${names.map((one) => `\`${one}\``).join(' or ')}.`,
    // What a README says may be true elsewhere.
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

/** What the client gives to a model by itself. */
function isForAgents({ project }: ClaudeSetup, file: string): boolean {
  const isConfiguration = relative(project, file).split(sep).includes('.claude')
  return isConfiguration || /^(?:CLAUDE(?:\.local)?|AGENTS)\.md$/.test(basename(file))
}

export const documentRules: readonly LintRule<ClaudeSetup>[] = [documentPrefix]
