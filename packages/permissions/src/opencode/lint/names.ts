/** Permissions for tools that are not called so. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { FindingDetails, LintRule, Repair } from '../../findings/finding.ts'
import type { OpenCodeSetup, OpenCodeSource } from '../setup.ts'
import { fromClaude, governedBy, knownTools, meantTool, openCodeServerPrefix } from '../tools.ts'
import { hasWildcard, matches } from '../wildcard.ts'
import { definitionsIn, keySpan, sourcePlace, serversIn } from '../written.ts'
import { quote } from './wording.ts'

/** A tool that is named in some `permission` or `tools`. */
interface Named {
  readonly source: OpenCodeSource
  readonly path: JsonPath
  readonly name: string
  /** Whether it closes something: that it does nothing then leaves it open. */
  readonly isDeny: boolean
  /** Whether it denies and nothing else: what asks may open what the client denies to an agent by itself. */
  readonly onlyDenies: boolean
  readonly isTaken: (name: string) => boolean
}

function* namedTools({ sources }: OpenCodeSetup): Generator<Named> {
  for (const { source, path, value } of definitionsIn(sources)) {
    for (const key of ['permission', 'tools']) {
      const rules = value[key]
      if (!isJsonObject(rules)) continue
      const names = Object.keys(rules).map((name) => ({
        name,
        meant: fromClaude(name) ?? governedBy.get(name),
      }))
      for (const [name, rule] of Object.entries(rules)) {
        // Also where another one is to get that name: it would stand there twice.
        const isTaken = (wanted: string): boolean =>
          names.some((other) => other.name !== name && (other.name === wanted || other.meant === wanted))
        const words = isJsonObject(rule) ? Object.values(rule) : [rule]
        const closes = words.map((word) => word === 'deny' || word === 'ask' || word === false)
        const onlyDenies = words.every((word) => word === 'deny' || word === false)
        // The older key knows some by other names.
        if (key === 'tools' && ['write', 'patch'].includes(name)) continue
        yield { source, path: [...path, key, name], name, isDeny: closes.includes(true), onlyDenies, isTaken }
      }
    }
  }
}

const claudeNames: LintRule<OpenCodeSetup> = {
  id: 'opencode-claude-names',
  severity: 'error',
  title: 'a tool with its Claude Code name: the rule matches nothing',
  why: `OpenCode writes its tools in lower case (\`bash\`, \`read\`, \`edit\`) and those of a server \`<server>_<tool>\`. Names are case-sensitive. \`Bash\`, \`mcp__server__tool\` and \`Bash(rm *)\` are names of Claude Code; here they match no tool, and a deny by that name leaves the tool open. What a tool is called with goes below its name: \`"bash": {"rm *": "deny"}\`.`,
  *check(setup) {
    for (const named of namedTools(setup)) {
      const meant = fromClaude(named.name)
      if (meant === undefined) continue
      yield {
        ...deadName(named, setup),
        fix:
          meant === null
            ? 'Write the tool in lower case, and what it is called with below it: `"bash": {"rm *": "deny"}`.'
            : `Call it \`${meant}\`.`,
        ...(meant !== null && renaming(named, meant)),
      }
    }
  },
}

const unknownTool: LintRule<OpenCodeSetup> = {
  id: 'opencode-unknown-tool',
  severity: 'error',
  title: 'a permission for an unknown tool name',
  why: `OpenCode accepts any name in \`permission\` and does not report unknown ones. \`write\`, \`patch\` and \`apply_patch\` go by the rule for \`edit\`; the tools of a server by \`<server>_*\`, not by the name of the server alone. A deny under a wrong name denies nothing.`,
  *check(setup) {
    const servers = new Set(serversIn(setup))
    const prefixes = Array.from(servers, openCodeServerPrefix)
    for (const named of namedTools(setup)) {
      const { name, isDeny } = named
      if (fromClaude(name) !== undefined || knownTools.some((tool) => matches(tool, name))) continue
      const prefix = servers.has(name) ? openCodeServerPrefix(name) : undefined
      const governor = governedBy.get(name)
      const meant = governor ?? (prefix === undefined ? meantTool(name) : `${prefix}*`)
      const isServers = prefixes.some((one) => name.startsWith(one))
      if (meant !== undefined && !isServers) {
        const fix =
          governor === undefined
            ? `Call it \`${meant}\`.`
            : `It goes by the rule for \`${governor}\`: name that.`
        yield {
          ...deadName(named, setup),
          fix,
          ...(prefix !== undefined || governor !== undefined ? renaming(named, meant) : {}),
        }
        continue
      }
      // With an underscore it may be a tool of a server that is configured elsewhere.
      if (setup.hasOwnTools || name.includes('_') || hasWildcard(name)) continue
      yield {
        ...deadName(named, setup),
        severity: 'warning',
        fix: `Correct the name, or remove the rule. ${isDeny ? 'A server is denied by `<server>_*`.' : 'A server is allowed by `<server>_*`.'}`,
      }
    }
  },
}

function deadName({ source, path, name, isDeny }: Named, setup: OpenCodeSetup): Omit<FindingDetails, 'fix'> {
  return {
    ...sourcePlace(source, path),
    message: `OpenCode has no tool named ${quote(name, setup)}: this rule ${isDeny ? 'closes nothing' : 'has no effect'}.`,
    ...(!isDeny && { severity: 'warning' }),
  }
}

/** Only what denies is put right: what opens is for a user. */
function renaming(named: Named, name: string): { repairs?: readonly Repair[] } {
  const { source, path, onlyDenies, isTaken } = named
  const span = keySpan(source, path)
  if (!onlyDenies || isTaken(name) || span === undefined) return {}
  const text = JSON.stringify(name)
  return { repairs: [{ kind: 'text', file: source.file, start: span.start, end: span.end, text }] }
}

export const nameRules = [claudeNames, unknownTool]
