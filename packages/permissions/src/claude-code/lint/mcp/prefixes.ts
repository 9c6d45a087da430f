/** Rules with the wrong prefix for the tools of an MCP server. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { groupBy } from '../../../findings/group-by.ts'
import type { ClaudeSetup, McpServer, RuleEntry } from '../../setup/setup.ts'
import { meaningOf, origin, runtimeForms } from '../../rules/named-servers.ts'
import { switchSteps } from './switch-steps.ts'
import { isCovered, replaceRule, writtenRules, type WrittenRule } from '../places/written-rules.ts'

const rulePrefix: LintRule<ClaudeSetup> = {
  id: 'mcp-rule-prefix',
  severity: 'warning',
  title: 'A rule names the tools of an MCP server with the wrong prefix',
  why: `Tools of a standalone server (\`claude mcp add\`, \`.mcp.json\`) are named \`mcp__<server>__<tool>\`. If a plugin provides the same server, their names are different: \`mcp__plugin_<plugin>_<server>__<tool>\`. A rule with one prefix does not apply to the other, and the client does not report it: an \`allow\` grants nothing, and a \`deny\` or \`ask\` leaves the tools open.

Either write both forms, which works however the server is installed but doubles the rules. Or replace the plugin's server with a standalone one: names become shorter (the plugin's prefix uses up part of the 64 characters a name may have) and are the same for everyone, but the server no longer receives the plugin's updates, everything else in the plugin is disabled too, and each user has to configure the server unless it is in \`.mcp.json\`.`,
  *check(setup) {
    for (const settings of setup.settings) {
      const found = writtenRules(settings).flatMap((rule) => misnamedBy(setup, rule) ?? [])
      const byPrefix = groupBy(found, ({ entry, prefix }) => `${entry.list} ${prefix}`)
      for (const group of byPrefix.values()) yield misnamed(setup, group)
    }
  },
}

interface Misnamed {
  readonly entry: RuleEntry
  /** As written in the rule. */
  readonly prefix: string
  readonly servers: readonly [McpServer, ...McpServer[]]
  readonly missing: readonly string[]
}

function misnamedBy(
  setup: ClaudeSetup,
  { entry, tool: name, hasParentheses }: WrittenRule,
): Misnamed | undefined {
  const meaning = hasParentheses ? undefined : meaningOf(setup, name)
  if (meaning?.kind !== 'elsewhere') return undefined
  const { servers, tool } = meaning
  const missing = runtimeForms(servers, tool).filter((form) => !isCovered(setup, entry.list, form))
  const prefix = tool === undefined ? name : name.slice(0, -tool.length)
  return missing.length === 0 ? undefined : { entry, prefix, servers, missing }
}

function misnamed(setup: ClaudeSetup, group: readonly Misnamed[]): FindingDetails {
  const { entry, servers, missing } = group[0]!
  const [server] = servers
  const others = group.length > 1 ? ` (and ${group.length - 1} more like it)` : ''
  const prefixes = servers.map(({ prefix }) => `\`${prefix}__\``).join(' and ')
  const addition = `Add ${missing.map((form) => `\`${form}\``).join(', ')} as well`
  const steps = servers.length === 1 ? switchSteps(setup, server, entry.level) : undefined
  return {
    ...placeOf(entry),
    ...(entry.list !== 'allow' && { severity: 'error' as const }),
    message: `\`${entry.text}\`${others} matches nothing: \`${server.name}\` ${origin(server)}, so its tool names start with ${prefixes}, and the rule ${consequences[entry.list]}.`,
    fix: steps === undefined ? `${addition}.` : `${addition}; or make it a standalone server: ${steps}.`,
    // Denying more is safe; what to allow is the user's decision.
    ...(entry.list !== 'allow' && {
      repairs: group.map((one) => replaceRule(one.entry, [one.entry.text, ...one.missing])),
    }),
  }
}

const consequences = {
  allow: 'allows none of them',
  ask: 'prompts for none of them',
  deny: 'denies none of them',
}

export const prefixRules: readonly LintRule<ClaudeSetup>[] = [rulePrefix]
