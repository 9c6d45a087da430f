/** Rules about MCP servers and tools that are nowhere. */

import { placeOf, type LintRule, type Severity } from '../../../findings/finding.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { meaningOf, missingTool, serverPart } from '../../rules/named-servers.ts'
import { replaceRule, writtenRules } from '../places/written-rules.ts'

const unknownName: LintRule<ClaudeSetup> = {
  id: 'mcp-rule-unknown',
  severity: 'warning',
  title: 'A rule names an unknown MCP server or tool',
  why: `The client takes any name in a rule and says nothing when no server has it: the rule waits for a server that may never come. Usually the name has a typo (names are case-sensitive, and \`-\` is not \`_\`), or the server was renamed or removed. A \`deny\` with a typo leaves the tools open.

Rules of a project are held against the servers of the project, of the user and of enabled plugins. Rules of the user and of the administrator are for all projects, so these are mentioned only where a server here has nearly that name.`,
  *check(setup) {
    for (const settings of setup.settings) {
      const seen = new Set<string>()
      for (const { entry, tool: name, hasParentheses } of writtenRules(settings)) {
        const found = hasParentheses ? undefined : unknown(setup, entry, name)
        if (found === undefined || seen.has(found.about)) continue
        seen.add(found.about)
        const { why, instead, severity, isForHere = true } = found
        yield {
          ...placeOf(entry),
          ...(severity && { severity }),
          message: `\`${entry.text}\` matches nothing: ${why}.`,
          fix:
            instead === undefined
              ? 'Correct the name, or remove the rule.'
              : `Write \`${instead}\` if that is meant, or remove the rule.`,
          ...(severity === 'error' &&
            instead !== undefined &&
            isForHere && { repairs: [replaceRule(entry, [instead])] }),
        }
      }
    }
  },
}

interface Unknown {
  /** One finding about each is enough. */
  readonly about: string
  readonly why: string
  readonly instead?: string
  readonly severity?: Severity
  /** False where another project may have what is not here: a rule that closes it there must stay. */
  readonly isForHere?: boolean
}

function unknown(setup: ClaudeSetup, entry: RuleEntry, name: string): Unknown | undefined {
  if (name.startsWith('mcp__') && name.endsWith(':*'))
    return notAName(entry, name, 'only commands of `Bash` end with `:*`', `${name.slice(0, -2)}*`)
  const meaning = meaningOf(setup, name)
  if (meaning?.kind === 'there') {
    const { servers, tool } = meaning
    if (tool === '') return notAName(entry, name, 'no tool has an empty name', `${servers[0].prefix}__*`)
    const missing = missingTool(servers, tool)
    if (missing === undefined) return undefined
    const why = `\`${missing.server.name}\` has no tool of that name`
    return { about: name, why, ...(missing.nearest !== undefined && { instead: missing.nearest }) }
  }
  if (meaning?.kind !== 'unknown') return undefined
  const { nearest, isSlip } = meaning
  const isForAllProjects = entry.level === 'user' || entry.level === 'managed'
  if (isForAllProjects && nearest === undefined) return undefined
  const server = serverPart(name)
  const rest = name.slice(name.indexOf(server) + server.length)
  return {
    about: isSlip ? name : server,
    why: `no MCP server here is called \`${server}\``,
    ...(nearest !== undefined && { instead: nearest + rest }),
    isForHere: !isForAllProjects,
    // What nothing is called is not open either, unless it is there under nearly that name.
    ...(entry.list !== 'allow' && { severity: isSlip ? 'error' : 'note' }),
  }
}

function notAName({ list }: RuleEntry, name: string, why: string, instead: string): Unknown {
  return { about: name, why, instead, ...(list !== 'allow' && { severity: 'error' }) }
}

export const unknownServerRules: readonly LintRule<ClaudeSetup>[] = [unknownName]
