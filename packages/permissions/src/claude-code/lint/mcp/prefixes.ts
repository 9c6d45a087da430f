/** Rules about tools of an MCP server that have another prefix at runtime. */

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
  why: `Tools of a server that is set up on its own (\`claude mcp add\`, \`.mcp.json\`) are called \`mcp__<server>__<tool>\`. The same server brought by a plugin has other names: \`mcp__plugin_<plugin>_<server>__<tool>\`. A rule with one prefix says nothing about the other, and the client does not mention it: an \`allow\` grants nothing, and a \`deny\` or \`ask\` leaves the tools open.

Either write both forms, which holds whichever way the server is installed and doubles the rules. Or take the server out of the plugin and set it up on its own: names become shorter (the plugin's prefix uses up part of the 64 characters a name may have) and are the same for everybody, but the plugin's updates no longer reach it, whatever else the plugin brings is off with it, and each user sets it up unless it stands in \`.mcp.json\`.`,
  *check(setup) {
    for (const settings of setup.settings) {
      const found = writtenRules(settings).flatMap((rule) => misnamedBy(setup, rule) ?? [])
      const alike = groupBy(found, ({ entry, prefix }) => `${entry.list} ${prefix}`)
      for (const group of alike.values()) yield misnamed(setup, group)
    }
  },
}

interface Misnamed {
  readonly entry: RuleEntry
  /** As it is written. */
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
  const is = entry.list === 'allow' ? 'it allows none of them' : openBecause[entry.list]
  const more = `Add ${missing.map((form) => `\`${form}\``).join(', ')} beside it`
  const steps = servers.length === 1 ? switchSteps(setup, server, entry.level) : undefined
  return {
    ...placeOf(entry),
    ...(entry.list !== 'allow' && { severity: 'error' as const }),
    message: `\`${entry.text}\`${others} matches nothing: \`${server.name}\` ${origin(server)}, so its tools begin with ${prefixes}, and ${is}.`,
    fix: steps === undefined ? `${more}.` : `${more}; or set the server up on its own: ${steps}.`,
    // Forbidding more is safe; what is allowed by the name that counts is for a user to decide.
    ...(entry.list !== 'allow' && {
      repairs: group.map((one) => replaceRule(one.entry, [one.entry.text, ...one.missing])),
    }),
  }
}

const openBecause = { ask: 'nobody is asked about them', deny: 'it denies none of them' }

export const prefixRules: readonly LintRule<ClaudeSetup>[] = [rulePrefix]
