/** Rules for unknown MCP servers and tools. */

import { placeOf, type LintRule, type Severity } from '../../../findings/finding.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { meaningOf, missingTool, serverPart } from '../../rules/named-servers.ts'
import { replaceRule, writtenRules } from '../places/written-rules.ts'

const unknownName: LintRule<ClaudeSetup> = {
  id: 'mcp-rule-unknown',
  severity: 'warning',
  title: 'A rule names an unknown MCP server or tool',
  why: `The client accepts any name in a rule and does not report unknown servers. Usually the name has a typo (names are case-sensitive, and \`-\` is not \`_\`), or the server was renamed or removed. A \`deny\` with a typo leaves the tools open.

Rules of a project are compared with the servers of the project, of the user and of enabled plugins. User and managed rules are shared by all projects, so these are reported only if a server here has a similar name.`,
  *check(setup) {
    for (const settings of setup.settings) {
      const seen = new Set<string>()
      for (const { entry, tool: name, hasParentheses } of writtenRules(settings)) {
        const problem = hasParentheses ? undefined : unknown(setup, entry, name)
        if (problem === undefined || seen.has(problem.about)) continue
        seen.add(problem.about)
        const { why, instead, severity, isRepairable = true } = problem
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
            isRepairable && { repairs: [replaceRule(entry, [instead])] }),
        }
      }
    }
  },
}

interface Unknown {
  /** Reported once. */
  readonly about: string
  readonly why: string
  readonly instead?: string
  readonly severity?: Severity
  /** False if the rule may match in another project, where it must still apply. */
  readonly isRepairable?: boolean
}

function unknown(setup: ClaudeSetup, entry: RuleEntry, name: string): Unknown | undefined {
  if (name.startsWith('mcp__') && name.endsWith(':*'))
    return invalidName(entry, name, 'only `Bash` rules end with `:*`', `${name.slice(0, -2)}*`)
  const meaning = meaningOf(setup, name)
  if (meaning?.kind === 'there') {
    const { servers, tool } = meaning
    if (tool === '') return invalidName(entry, name, 'no tool has an empty name', `${servers[0].prefix}__*`)
    const missing = missingTool(servers, tool)
    if (missing === undefined) return undefined
    const why = `\`${missing.server.name}\` has no tool with that name`
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
    why: `no MCP server here is named \`${server}\``,
    ...(nearest !== undefined && { instead: nearest + rest }),
    isRepairable: !isForAllProjects,
    // A server that does not exist leaves nothing open, unless the name is a misspelling.
    ...(entry.list !== 'allow' && { severity: isSlip ? 'error' : 'note' }),
  }
}

function invalidName({ list }: RuleEntry, name: string, why: string, instead: string): Unknown {
  return { about: name, why, instead, ...(list !== 'allow' && { severity: 'error' }) }
}

export const unknownServerRules: readonly LintRule<ClaudeSetup>[] = [unknownName]
