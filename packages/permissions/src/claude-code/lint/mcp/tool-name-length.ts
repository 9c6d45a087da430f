/** Tool names that are longer than model APIs accept. */

import { placeOf, type FindingDetails, type LintRule, type Place } from '../../../findings/finding.ts'
import { positionAt } from '@contextd/shared/json/text-position'
import type { ClaudeSetup, McpServer } from '../../setup/setup.ts'
import { fullToolName, maxToolNameLength } from '../../rules/tool-names.ts'
import { documentNames } from './document-names.ts'
import { meaningOf, runtimeForms } from '../../rules/named-servers.ts'
import { writtenRules } from '../places/written-rules.ts'

/** From this length on, a longer plugin or server name, or a new tool, can exceed the limit. */
const minWarningLength = 60
/** Tool names rarely need less. */
const minToolRoom = 16

const nameLength: LintRule<ClaudeSetup> = {
  id: 'tool-name-length',
  severity: 'error',
  title: `The full name of a tool is longer than ${maxToolNameLength} characters, or close to it`,
  why: `Models receive tools by their full name, such as \`mcp__plugin_<plugin>_<server>__<tool>\`. The client neither shortens nor refuses long names; model APIs have refused names of more than ${maxToolNameLength} characters, and then the whole request fails, not just one tool. More than ${maxToolNameLength} characters is an error, ${minWarningLength} or more a warning. If a server's tools are not known, a prefix that leaves fewer than ${minToolRoom} characters for them is a warning too.

Give the server or the plugin a shorter name, or make it a standalone server, which saves \`plugin_<plugin>_\`.`,
  *check(setup) {
    const servers = setup.servers.filter(({ off }) => off === undefined)
    const seen = new Set<string>()
    for (const server of servers) {
      if (seen.has(server.prefix)) continue
      seen.add(server.prefix)
      const finding = server.tools === undefined ? longPrefix(server) : longNames(server, server.tools)
      if (finding !== undefined) yield finding
    }
    yield* mentionedNames(setup)
  },
}

function longPrefix(server: McpServer): FindingDetails | undefined {
  const room = maxToolNameLength - fullToolName(server.prefix, '').length
  if (room >= minToolRoom) return undefined
  return {
    ...placeOf(server),
    ...(room > 0 && { severity: 'warning' as const }),
    message:
      room > 0
        ? `Tool names start with \`${server.prefix}__\`, which leaves ${room} of ${maxToolNameLength} characters for the tool itself.`
        : `Tool names start with \`${server.prefix}__\`, which leaves none of ${maxToolNameLength} characters for the tool itself.`,
    fix: shorter(server),
  }
}

function longNames(server: McpServer, tools: readonly string[]): FindingDetails | undefined {
  const names = tools.map((tool) => fullToolName(server.prefix, tool)).filter(isLong)
  const [longest] = names.toSorted((one, other) => other.length - one.length)
  if (longest === undefined) return undefined
  const others = names.length > 1 ? `; ${names.length - 1} more names of this server are long as well` : ''
  return { ...placeOf(server), ...tooLong(longest, others), fix: shorter(server) }
}

/** Tools of servers whose tools are not known, as mentioned in rules, agents and documents. */
function* mentionedNames(setup: ClaudeSetup): Iterable<FindingDetails> {
  const seen = new Set<string>()
  for (const { name, agent, place } of mentions(setup)) {
    const meaning = meaningOf(setup, name, agent)
    if (meaning === undefined || !('servers' in meaning) || !meaning.tool || meaning.tool.includes('*'))
      continue
    const unknown = meaning.servers.filter(({ tools, off }) => tools === undefined && off === undefined)
    for (const server of unknown) {
      const [full = ''] = runtimeForms([server], meaning.tool)
      if (!isLong(full) || seen.has(full)) continue
      seen.add(full)
      yield { ...place(), ...tooLong(full, ''), fix: shorter(server) }
    }
  }
}

interface Mention {
  readonly name: string
  readonly agent?: string
  readonly place: () => Place
}

function* mentions(setup: ClaudeSetup): Iterable<Mention> {
  for (const { tool, entry } of setup.settings.flatMap(writtenRules))
    yield { name: tool, place: () => placeOf(entry) }
  for (const { name: agent, tools = [], disallowedTools = [] } of setup.agents)
    for (const entry of [...tools, ...disallowedTools])
      yield { name: entry.text, agent, place: () => placeOf(entry) }
  for (const { name, document, start } of documentNames(setup).names)
    yield { name, place: () => ({ file: document.file, ...positionAt(document.text, start) }) }
}

function isLong(name: string): boolean {
  return name.length >= minWarningLength
}

function tooLong(name: string, others: string): Pick<FindingDetails, 'message' | 'severity'> {
  const isOver = name.length > maxToolNameLength
  return {
    severity: isOver ? 'error' : 'warning',
    message: isOver
      ? `\`${name}\` has ${name.length} characters: model APIs have refused requests with names of more than ${maxToolNameLength}${others}.`
      : `\`${name}\` has ${name.length} of at most ${maxToolNameLength} safe characters${others}.`,
  }
}

function shorter({ source, name, owner }: McpServer): string {
  if (source !== 'plugin') return `Give the server \`${name}\` a shorter name.`
  return `Give the plugin \`${owner}\` or its server \`${name}\` a shorter name, or make it a standalone server (\`claude mcp add\`).`
}

export const toolNameLengthRules: readonly LintRule<ClaudeSetup>[] = [nameLength]
