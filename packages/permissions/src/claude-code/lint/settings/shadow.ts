/** Finds the deny or ask rule that fully covers an allow rule, by lookup instead of pairwise comparison. */

import { compileStars } from '@contextd/shared/text/wildcard'
import { canonicalTool } from '../../rules/builtin-tools.ts'
import { ruleEffect, type ClaudeRule } from '../../rules/rule.ts'
import type { RuleEntry } from '../../setup/setup.ts'

/** Built once from all rules; a lookup takes time linear in the length of the rule. */
export function shadows(rules: readonly RuleEntry[]): (rule: RuleEntry) => RuleEntry | undefined {
  const covers = { deny: newCover(), ask: newCover() }
  for (const entry of rules) {
    if (entry.list === 'allow') continue
    const effect = ruleEffect(entry)
    if (effect.works) add(covers[entry.list], anchored(effect.rule, entry), entry)
  }
  return (entry) => {
    if (entry.list !== 'allow') return undefined
    const effect = ruleEffect(entry)
    if (!effect.works) return undefined
    const rule = anchored(effect.rule, entry)
    return lookup(covers.deny, rule) ?? lookup(covers.ask, rule)
  }
}

interface Cover {
  /** Tools and servers by name, and rules with content by their text. */
  readonly exact: Map<string, RuleEntry>
  /** `Bash npm run`: every command with this prefix. `Read src/`: everything below. */
  readonly prefixes: Map<string, RuleEntry>
  /** Names with wildcards. */
  readonly wildcards: { readonly matches: (name: string) => boolean; readonly entry: RuleEntry }[]
}

function newCover(): Cover {
  return { exact: new Map(), prefixes: new Map(), wildcards: [] }
}

function add(
  { exact, prefixes, wildcards }: Cover,
  { tool, content, mcp }: ClaudeRule,
  entry: RuleEntry,
): void {
  const name = canonicalTool(tool)
  const put = (map: Map<string, RuleEntry>, key: string): void => void (map.has(key) || map.set(key, entry))
  if (content === undefined) {
    if (mcp === 'all-tools') put(exact, name.replace(/__\*+$/, ''))
    else if (name.includes('*')) wildcards.push({ matches: compileStars(name), entry })
    else put(exact, name)
    return
  }
  put(exact, `${name}(${normalized(name, content)})`)
  const prefix = name === 'Bash' ? prefixOf(content) : /^([^*?[]+\/)\*\*$/.exec(content)?.[1]
  if (prefix !== undefined) put(prefixes, `${name} ${prefix}`)
}

function lookup(
  { exact, prefixes, wildcards }: Cover,
  { tool, content, mcp }: ClaudeRule,
): RuleEntry | undefined {
  const name = canonicalTool(tool)
  const server = mcp === undefined ? undefined : /^mcp__.+?(?=__|$)/.exec(name)?.[0]
  const byName =
    exact.get(mcp === 'all-tools' ? name.replace(/__\*+$/, '') : name) ??
    (server === undefined ? undefined : exact.get(server)) ??
    wildcards.find(({ matches }) => matches(name))?.entry
  if (byName !== undefined || content === undefined) return byName
  const same = exact.get(`${name}(${normalized(name, content)})`)
  if (same !== undefined) return same
  for (const prefix of name === 'Bash' ? commandPrefixes(content) : foldersOf(content)) {
    const entry = prefixes.get(`${name} ${prefix}`)
    if (entry !== undefined) return entry
  }
  return undefined
}

/** Paths with one slash have another base in user settings than in project settings. */
function anchored(rule: ClaudeRule, { level }: RuleEntry): ClaudeRule {
  const { tool, content } = rule
  const isOther = level === 'user' && /^(?:Read|Edit)$/.test(tool) && /^\/(?!\/)/.test(content ?? '')
  return isOther ? { ...rule, content: `user:${content}` } : rule
}

/** Prefixes and relative paths each have two equivalent forms. */
function normalized(name: string, content: string): string {
  return name === 'Bash' ? content.replace(/ \*$/, ':*') : content.replace(/^\.\//, '')
}

/** `npm run` for `npm run:*` and `npm run *`; undefined if there are other wildcards. */
function prefixOf(content: string): string | undefined {
  return /^([^*]+?)(?::\*| \*)$/.exec(content)?.[1]
}

/** Empty for a command that may be more than its first words: with inner wildcards or shell operators. */
function commandPrefixes(content: string): string[] {
  const command = prefixOf(content) ?? content
  if (/[*;&|`$<>()\n]/.test(command)) return []
  const words = command.split(' ').slice(0, 20)
  return words.map((_, index) => words.slice(0, index + 1).join(' '))
}

function foldersOf(content: string): string[] {
  const names = content.split('/').slice(0, -1).slice(0, 50)
  const wildcard = names.findIndex((name) => /[*?[]/.test(name))
  const literal = wildcard === -1 ? names : names.slice(0, wildcard)
  return literal.map((_, index) => `${literal.slice(0, index + 1).join('/')}/`)
}
