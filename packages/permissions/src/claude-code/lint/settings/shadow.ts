/** Which deny or ask rule covers an allow rule as a whole. Looked up in maps, because settings can have many rules. */

import { compileStars } from '@contextd/shared/text/wildcard'
import { canonicalTool } from '../../rules/builtin-tools.ts'
import { ruleEffect, type ClaudeRule } from '../../rules/rule.ts'
import type { RuleEntry } from '../../setup/setup.ts'

/** Indexes all rules once, so that a lookup takes time linear in the text of the rule. */
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
  /** Whole tools and servers by name, and rules with content by their text. */
  readonly exact: Map<string, RuleEntry>
  /** `Bash npm run` covers every command that begins with it, `Read src/` every path below. */
  readonly beginnings: Map<string, RuleEntry>
  /** Names with wildcards. */
  readonly wild: { readonly matches: (name: string) => boolean; readonly entry: RuleEntry }[]
}

function newCover(): Cover {
  return { exact: new Map(), beginnings: new Map(), wild: [] }
}

function add({ exact, beginnings, wild }: Cover, { tool, content, mcp }: ClaudeRule, entry: RuleEntry): void {
  const name = canonicalTool(tool)
  const put = (map: Map<string, RuleEntry>, key: string): void => void (map.has(key) || map.set(key, entry))
  if (content === undefined) {
    if (mcp === 'all-tools') put(exact, name.replace(/__\*+$/, ''))
    else if (name.includes('*')) wild.push({ matches: compileStars(name), entry })
    else put(exact, name)
    return
  }
  put(exact, `${name}(${normal(name, content)})`)
  const start = name === 'Bash' ? prefixOf(content) : /^([^*?[]+\/)\*\*$/.exec(content)?.[1]
  if (start !== undefined) put(beginnings, `${name} ${start}`)
}

function lookup(
  { exact, beginnings, wild }: Cover,
  { tool, content, mcp }: ClaudeRule,
): RuleEntry | undefined {
  const name = canonicalTool(tool)
  const server = mcp === undefined ? undefined : /^mcp__.+?(?=__|$)/.exec(name)?.[0]
  const whole =
    exact.get(mcp === 'all-tools' ? name.replace(/__\*+$/, '') : name) ??
    (server === undefined ? undefined : exact.get(server)) ??
    wild.find(({ matches }) => matches(name))?.entry
  if (whole !== undefined || content === undefined) return whole
  const same = exact.get(`${name}(${normal(name, content)})`)
  if (same !== undefined) return same
  for (const start of name === 'Bash' ? startsOfCommand(content) : foldersOf(content)) {
    const found = beginnings.get(`${name} ${start}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** `/x` is below the client's own folder in the settings of the user, and below the project elsewhere. */
function anchored(rule: ClaudeRule, { level }: RuleEntry): ClaudeRule {
  const { tool, content } = rule
  const isOther = level === 'user' && /^(?:Read|Edit)$/.test(tool) && /^\/(?!\/)/.test(content ?? '')
  return isOther ? { ...rule, content: `user:${content}` } : rule
}

/** The same prefix can be written in two forms. */
function normal(name: string, content: string): string {
  return name === 'Bash' ? content.replace(/ \*$/, ':*') : content.replace(/^\.\//, '')
}

/** `npm run` of `npm run:*` and `npm run *`; undefined if there is a wildcard before the end. */
function prefixOf(content: string): string | undefined {
  return /^([^*]+?)(?::\*| \*)$/.exec(content)?.[1]
}

/** Empty for a rule with wildcards inside: it may match more than what its prefix covers. */
function startsOfCommand(content: string): string[] {
  const command = prefixOf(content) ?? content
  if (/[*;&|`$<>()\n]/.test(command)) return []
  const words = command.split(' ').slice(0, 20)
  return words.map((_, index) => words.slice(0, index + 1).join(' '))
}

function foldersOf(content: string): string[] {
  const names = content.split('/').slice(0, -1).slice(0, 50)
  const plain = names.findIndex((name) => /[*?[]/.test(name))
  const below = plain === -1 ? names : names.slice(0, plain)
  return below.map((_, index) => `${below.slice(0, index + 1).join('/')}/`)
}
