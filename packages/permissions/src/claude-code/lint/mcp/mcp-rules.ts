/** Forms of MCP rules that the client does not support everywhere. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { groupBy } from '../../../findings/group-by.ts'
import { ruleEffect } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { meaningOf, serverPart } from '../../rules/named-servers.ts'
import { isReadAsNamed } from './server-names.ts'
import { replaceRule, writtenRules, type WrittenRule } from '../places/written-rules.ts'

const parentheses: LintRule<ClaudeSetup> = {
  id: 'mcp-rule-parentheses',
  severity: 'error',
  title: 'A rule for an MCP tool has parentheses, so the client drops it',
  why: `In settings files the client accepts no argument after the name of an MCP tool or server: \`mcp__files__delete(*)\` is silently dropped, in any list. A dropped \`deny\` leaves the tool open, a dropped \`ask\` does not prompt, a dropped \`allow\` grants nothing. (The flags \`--allowedTools\` and \`--disallowedTools\` do accept it.)

Write the bare name. A rule cannot restrict the arguments of an MCP tool; a \`PreToolUse\` hook can.`,
  *check(setup) {
    for (const rule of setup.settings.flatMap(writtenRules)) {
      const { entry, tool, mcp, hasParentheses } = rule
      if (mcp === undefined || !hasParentheses || ruleEffect(entry).works) continue
      const isAllow = entry.list === 'allow'
      yield {
        ...placeOf(entry),
        ...(isAllow && { severity: 'warning' as const }),
        message: `The client drops \`${entry.text}\`: ${dropped[entry.list]}.`,
        fix: fixOf(rule),
        // A rule that allows some arguments must not become one that allows all.
        ...(!isAllow && { repairs: [replaceRule(entry, [tool])] }),
      }
    }
  },
}

const dropped = {
  allow: 'it allows nothing',
  ask: 'it does not prompt, and other rules that allow the tool apply',
  deny: 'it denies nothing',
}

function fixOf({ entry, tool, content }: WrittenRule): string {
  if (!content) return `Write \`${tool}\`.`
  if (entry.list === 'allow')
    return `Write \`${tool}\` to allow all arguments; a PreToolUse hook can allow some.`
  return `Write \`${tool}\`, which applies to all arguments; a PreToolUse hook can check them.`
}

const serverWildcard: LintRule<ClaudeSetup> = {
  id: 'mcp-rule-server-wildcard',
  severity: 'warning',
  title: 'A wildcard in the server part of an allow rule has no effect',
  why: `\`mcp__*\` and \`mcp__git*\` look as if they allowed the tools of several servers. The client supports a wildcard in the server part only in \`deny\` and \`ask\`; in an \`allow\` list it silently grants nothing. After the server name a wildcard works: \`mcp__github__*\`, \`mcp__github__get_*\`.

Name each intended server. No form allows servers that are not configured yet, which is just as well.`,
  *check(setup) {
    for (const { entry, mcp, hasParentheses } of setup.settings.flatMap(writtenRules)) {
      if (mcp !== 'server-wildcard' || hasParentheses || ruleEffect(entry).works) continue
      yield {
        ...placeOf(entry),
        ...(entry.list !== 'allow' && { severity: 'error' as const }),
        message: `\`${entry.text}\` has no effect: the client supports no server wildcard in \`${entry.list}\`.`,
        fix: `Name the servers${examples(setup, entry)}.`,
      }
    }
  },
}

/** Configured servers that the pattern matches. */
function examples(setup: ClaudeSetup, { text }: RuleEntry): string {
  const head = text.slice(0, text.indexOf('*'))
  const last = text.slice(text.lastIndexOf('*') + 1)
  const tail = last.includes('__') ? last.slice(last.indexOf('__')) : ''
  const prefixes = setup.servers.filter(({ prefix, off }) => off === undefined && prefix.startsWith(head))
  const names = Array.from(new Set(prefixes.map(({ prefix }) => prefix + tail)))
  if (names.length === 0) return ''
  return `: ${names
    .slice(0, 3)
    .map((name) => `\`${name}\``)
    .join(', ')}${names.length > 3 ? ', …' : ''}`
}

const bothForms: LintRule<ClaudeSetup> = {
  id: 'mcp-rule-both-forms',
  severity: 'note',
  title: 'A server is named in only one of two equivalent forms',
  why: `\`mcp__github\` and \`mcp__github__*\` mean the same: every tool of the server. Some versions of the client ignored the first form, others the second. Writing both works in every version.`,
  *check(setup) {
    for (const settings of setup.settings) {
      const written = new Set(settings.rules.map(({ list, text }) => `${list} ${text}`))
      const found = writtenRules(settings).flatMap((rule): OneForm[] => {
        const other = otherForm(rule)
        if (other === undefined || written.has(`${rule.entry.list} ${other}`)) return []
        // Other rules report rules that match nothing and servers with ambiguous names.
        const meaning = meaningOf(setup, rule.tool)
        if (meaning?.kind !== 'there' || !isReadAsNamed(meaning.servers[0].prefix)) return []
        return [{ entry: rule.entry, server: serverPart(rule.tool), other }]
      })
      for (const group of groupBy(found, ({ server }) => server).values()) yield oneForm(group)
    }
  },
}

interface OneForm {
  readonly entry: RuleEntry
  readonly server: string
  readonly other: string
}

/** Undefined for a rule that does not match a whole server. */
function otherForm({ tool, mcp, hasParentheses }: WrittenRule): string | undefined {
  if (hasParentheses || (mcp !== 'server' && mcp !== 'all-tools')) return undefined
  return mcp === 'server' ? `${tool}__*` : tool.slice(0, -'__*'.length)
}

function oneForm(group: readonly OneForm[]): FindingDetails {
  const { entry, other } = group[0]!
  return {
    ...placeOf(entry),
    message: `\`${entry.text}\` works in this version of the client, but some versions only supported \`${other}\`.`,
    fix: `Write both: \`${entry.text}\` and \`${other}\`.`,
    repairs: group.map((one) => replaceRule(one.entry, [one.entry.text, one.other])),
  }
}

export const mcpFormRules: readonly LintRule<ClaudeSetup>[] = [parentheses, serverWildcard, bothForms]
