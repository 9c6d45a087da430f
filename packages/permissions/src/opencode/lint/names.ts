/** Permissions with wrong tool names. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { FindingDetails, LintRule, Repair } from '../../findings/finding.ts'
import type { OpenCodeSetup, OpenCodeSource } from '../setup.ts'
import { fromClaude, governedBy, knownTools, meantTool, openCodeServerPrefix } from '../tools.ts'
import { hasWildcard, matches } from '../wildcard.ts'
import { definitionsIn, keySpan, sourcePlace, serversIn } from '../written.ts'
import { quote } from './wording.ts'

/** A tool name in a `permission` or `tools` key. */
interface NamedTool {
  readonly source: OpenCodeSource
  readonly path: JsonPath
  readonly name: string
  /** Whether it restricts something: without effect, the tool is open. */
  readonly isRestrictive: boolean
  /** Whether it only denies: an ask rule may open what the client denies to an agent by default. */
  readonly onlyDenies: boolean
  readonly isTaken: (name: string) => boolean
}

function* namedTools({ sources }: OpenCodeSetup): Generator<NamedTool> {
  for (const { source, path, value } of definitionsIn(sources)) {
    for (const key of ['permission', 'tools']) {
      const rules = value[key]
      if (!isJsonObject(rules)) continue
      const names = Object.keys(rules).map((name) => ({
        name,
        meant: fromClaude(name) ?? governedBy.get(name),
      }))
      for (const [name, rule] of Object.entries(rules)) {
        // Includes names that other repairs would introduce: the key would be duplicated.
        const isTaken = (wanted: string): boolean =>
          names.some((other) => other.name !== name && (other.name === wanted || other.meant === wanted))
        const words = isJsonObject(rule) ? Object.values(rule) : [rule]
        const isRestrictive = words.some((word) => word === 'deny' || word === 'ask' || word === false)
        const onlyDenies = words.every((word) => word === 'deny' || word === false)
        // The older key supports these names.
        if (key === 'tools' && ['write', 'patch'].includes(name)) continue
        yield { source, path: [...path, key, name], name, isRestrictive, onlyDenies, isTaken }
      }
    }
  }
}

const claudeNames: LintRule<OpenCodeSetup> = {
  id: 'opencode-claude-names',
  severity: 'error',
  title: 'a tool with its Claude Code name: the rule matches nothing',
  why: `OpenCode's tools have lowercase names (\`bash\`, \`read\`, \`edit\`), those of a server \`<server>_<tool>\`. Names are case-sensitive. \`Bash\`, \`mcp__server__tool\` and \`Bash(rm *)\` are Claude Code names; here they match no tool, and a deny with that name leaves the tool open. Patterns for arguments go below the name: \`"bash": {"rm *": "deny"}\`.`,
  *check(setup) {
    for (const named of namedTools(setup)) {
      const meant = fromClaude(named.name)
      if (meant === undefined) continue
      yield {
        ...deadName(named, setup),
        fix:
          meant === null
            ? 'Write the tool in lowercase, with patterns for its arguments below it: `"bash": {"rm *": "deny"}`.'
            : `Rename it to \`${meant}\`.`,
        ...(meant !== null && renaming(named, meant)),
      }
    }
  },
}

const unknownTool: LintRule<OpenCodeSetup> = {
  id: 'opencode-unknown-tool',
  severity: 'error',
  title: 'a permission for an unknown tool name',
  why: `OpenCode accepts any name in \`permission\` and does not report unknown ones. The rule for \`edit\` applies to \`write\`, \`patch\` and \`apply_patch\`; the tools of a server match \`<server>_*\`, not the name of the server alone. A deny with a wrong name denies nothing.`,
  *check(setup) {
    const servers = new Set(serversIn(setup))
    const prefixes = Array.from(servers, openCodeServerPrefix)
    for (const named of namedTools(setup)) {
      const { name, isRestrictive } = named
      if (fromClaude(name) !== undefined || knownTools.some((tool) => matches(tool, name))) continue
      const prefix = servers.has(name) ? openCodeServerPrefix(name) : undefined
      const governor = governedBy.get(name)
      const meant = governor ?? (prefix === undefined ? meantTool(name) : `${prefix}*`)
      const isServerTool = prefixes.some((one) => name.startsWith(one))
      if (meant !== undefined && !isServerTool) {
        const fix =
          governor === undefined
            ? `Rename it to \`${meant}\`.`
            : `The rule for \`${governor}\` applies to it: use that name.`
        yield {
          ...deadName(named, setup),
          fix,
          ...(prefix !== undefined || governor !== undefined ? renaming(named, meant) : {}),
        }
        continue
      }
      // A name with an underscore may be a tool of a server that is configured elsewhere.
      if (setup.hasOwnTools || name.includes('_') || hasWildcard(name)) continue
      yield {
        ...deadName(named, setup),
        severity: 'warning',
        fix: `Correct the name, or remove the rule. ${isRestrictive ? 'A server is denied with `<server>_*`.' : 'A server is allowed with `<server>_*`.'}`,
      }
    }
  },
}

function deadName(
  { source, path, name, isRestrictive }: NamedTool,
  setup: OpenCodeSetup,
): Omit<FindingDetails, 'fix'> {
  return {
    ...sourcePlace(source, path),
    message: `OpenCode has no tool named ${quote(name, setup)}: this rule ${isRestrictive ? 'denies nothing' : 'has no effect'}.`,
    ...(!isRestrictive && { severity: 'warning' }),
  }
}

/** Only deny rules are repaired: what to allow is the user's decision. */
function renaming(named: NamedTool, name: string): { repairs?: readonly Repair[] } {
  const { source, path, onlyDenies, isTaken } = named
  const span = keySpan(source, path)
  if (!onlyDenies || isTaken(name) || span === undefined) return {}
  const text = JSON.stringify(name)
  return { repairs: [{ kind: 'text', file: source.file, start: span.start, end: span.end, text }] }
}

export const nameRules = [claudeNames, unknownTool]
