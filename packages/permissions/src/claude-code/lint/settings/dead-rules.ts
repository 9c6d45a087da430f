/** Rules that never match. Valid rules for MCP tools are checked elsewhere. */

import { nearest } from '@contextd/shared/text/nearest'
import type { LintRule } from '../../../findings/finding.ts'
import { oncePer } from '@contextd/shared/once'
import { claudeTools, isClaudeTool } from '../../rules/builtin-tools.ts'
import { parseRule, ruleEffect, type ClaudeRule } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { deadPath } from './dead-paths.ts'
import { deadRules, type RuleFault } from './dead-rule.ts'
import { unlessForeign } from './foreign-syntax.ts'

export const deadRuleRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'malformed-rule',
    severity: 'warning',
    title: 'A rule that the client cannot parse',
    why: 'A rule is the name of a tool, optionally followed by an argument in parentheses: `Bash`, `Bash(npm test)`. If it has surrounding spaces, unbalanced parentheses or empty parentheses, Claude Code silently drops it. A dropped deny rule is an error: what it should deny remains open.\n\n`--fix` corrects deny and ask rules if the intention is clear.',
    check: deadRules(unlessForeign(malformed)),
  },
  {
    id: 'unknown-tool',
    severity: 'warning',
    title: 'A rule for a tool that does not exist',
    why: 'Tool names are case-sensitive: `bash` is not `Bash`. A rule for an unknown name is accepted but never matches. In allow rules, a wildcard cannot replace the name of a tool either.\n\n`--fix` corrects the case of deny and ask rules.',
    check: deadRules(unlessForeign(unknownTool)),
  },
  {
    id: 'path-rule-tool',
    severity: 'warning',
    title: 'A path rule for a tool whose paths are not checked',
    why: 'For paths the client evaluates only two kinds of rules: `Read(path)` for everything that reads, `Edit(path)` for everything that writes. `Write(path)`, `MultiEdit(path)`, `NotebookEdit(path)`, `Glob(path)` and `Grep(path)` are accepted but never match.\n\n`--fix` rewrites deny and ask rules.',
    check: deadRules(unlessForeign(pathTool)),
  },
  {
    id: 'path-rule-anchor',
    severity: 'warning',
    title: 'An absolute path with one slash',
    why: 'In a rule, `/etc/passwd` is not that file: a path with one slash is relative to the project (in user settings: to `~/.claude`). An absolute path starts with two slashes, `//etc/passwd`, a path in the home folder with `~/`.\n\n`--fix` adds the other form to deny and ask rules.',
    check: deadRules(pathAnchor),
  },
  {
    id: 'unmatchable-rule',
    severity: 'warning',
    title: 'A rule whose content never matches',
    why: 'What the parentheses may contain depends on the tool. `:*` ends a prefix of Bash commands, and a `*` before it is literal; paths may contain wildcards but no `:*`, `..`, `!`, braces or variables; WebFetch requires `domain:` and a host, not a URL; leading and trailing spaces must match spaces in the command.\n\n`--fix` rewrites deny and ask rules if the intention is clear.',
    check: deadRules(unlessForeign(unmatchable)),
  },
]

function malformed({ text }: RuleEntry, rule: ClaudeRule | undefined): RuleFault | undefined {
  if (rule !== undefined) {
    if (!rule.hasParentheses || (rule.content ?? '') !== '' || text.endsWith('(*)')) return undefined
    return {
      message: `Claude Code drops \`${text}\`: its parentheses are empty.`,
      fix: `Write \`${rule.tool}\` for the whole tool, or fill in the parentheses.`,
    }
  }
  const parsed = parseRule(text)
  const problem = 'problem' in parsed ? parsed.problem : ''
  const meant = corrected(text)
  return {
    message: `Claude Code drops ${shown(text)}: ${problem}.`,
    fix: meant === undefined ? 'Correct the rule, or remove it.' : `Write \`${meant}\`.`,
    ...(meant !== undefined && { meant: [meant] }),
  }
}

/** Without surrounding spaces, and with the parenthesis closed. */
function corrected(text: string): string | undefined {
  const trimmed = text.trim().replace(/^(\w+)\s+\(/, '$1(')
  const opened = trimmed.split('(').length - trimmed.split(')').length
  const closed = opened === 1 ? `${trimmed})` : trimmed
  const isRule = !closed.endsWith('()') && !('problem' in parseRule(closed))
  return closed !== text && isRule ? closed : undefined
}

function unknownTool({ text, list }: RuleEntry, rule: ClaudeRule | undefined): RuleFault | undefined {
  if (rule === undefined || isClaudeTool(rule.tool)) return undefined
  // Reported by path-rule-tool.
  if (pathTools.has(rule.tool) && rule.content !== undefined) return undefined
  const { tool } = rule
  // `plugin:name:server` and the like are names of servers.
  if (/^plugin:|^mcp_/.test(tool)) return undefined
  if (tool.includes('*')) {
    if (list !== 'allow') return undefined
    return {
      message: `Claude Code does not support wildcards for tool names in allow rules: \`${text}\` allows nothing.`,
      fix: 'Write one rule per tool.',
    }
  }
  const spaced = /^(\w+)\s+$/.exec(tool)?.[1]
  // Names of former tools are not typos.
  const near = pathTools.has(tool) ? undefined : nearest(spaced ?? tool, claudeTools)
  if (near === undefined) {
    return {
      message: `Claude Code (2.1.325) has no tool \`${tool}\`, so \`${text}\` never matches.`,
      fix: 'Remove the rule, or correct the name of the tool.',
      severity: 'note',
    }
  }
  const isCase = (spaced ?? tool).toLowerCase() === near.toLowerCase()
  const meant = text.replace(tool, near)
  return {
    message: `No tool is named \`${tool}\`, so \`${text}\` never matches.`,
    fix: isCase ? `Write \`${meant}\`.` : `Did you mean \`${meant}\`?`,
    ...(isCase && { meant: [meant] }),
  }
}

/** Which rule the client evaluates instead. */
const pathTools: ReadonlyMap<string, 'Edit' | 'Read'> = new Map([
  ['Write', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
  ['NotebookRead', 'Read'],
  ['Glob', 'Read'],
  ['Grep', 'Read'],
  ['LS', 'Read'],
])

function pathTool({ text }: RuleEntry, rule: ClaudeRule | undefined): RuleFault | undefined {
  const evaluated = rule && pathTools.get(rule.tool)
  if (evaluated === undefined || rule?.content === undefined) return undefined
  const meant = `${evaluated}(${rule.content})`
  return {
    message: `Claude Code does not check the paths of ${rule.tool} rules: \`${text}\` never matches.`,
    fix: `Write \`${meant}\`: it applies to every tool that ${evaluated === 'Edit' ? 'writes' : 'reads'}.`,
    meant: [meant],
  }
}

/** Folders at the root of common systems. */
const rootFolders =
  /^\/(?:etc|home|root|tmp|var|usr|opt|mnt|media|proc|sys|dev|srv|run|boot|Users|Library|Volumes|private|Applications)(?:\/|$)/

function pathAnchor(
  entry: RuleEntry,
  rule: ClaudeRule | undefined,
  setup: ClaudeSetup,
): RuleFault | undefined {
  const { text, level, list } = entry
  const content = rule?.content
  if (rule === undefined || content === undefined || !/^(?:Read|Edit)$/.test(rule.tool)) return undefined
  if (!content.startsWith('/') || content.startsWith('//')) return undefined
  const folders = [setup.project, setup.home]
  const isInKnownFolder = folders.some((folder) => content === folder || content.startsWith(`${folder}/`))
  if (!isInKnownFolder && !rootFolders.test(content)) return undefined
  const meant = `${rule.tool}(/${content})`
  if (writtenIn(setup).has(`${list} ${meant}`)) return undefined
  const base = level === 'user' ? "the client's own folder" : 'the project'
  return {
    message: `A path with one slash is relative to ${base}, so \`${text}\` does not match \`${content}\`.`,
    fix: `Write \`${meant}\`.`,
    // The project may have such a folder too.
    meant: [text, meant],
  }
}

const writtenIn = oncePer(
  ({ settings }: ClaudeSetup) =>
    new Set(settings.flatMap(({ rules }) => rules.map(({ list, text }) => `${list} ${text}`))),
)

function unmatchable(entry: RuleEntry, rule: ClaudeRule | undefined): RuleFault | undefined {
  const content = rule?.content
  // Empty parentheses are reported as malformed.
  if (rule === undefined || !content || pathTools.has(rule.tool)) return undefined
  const { tool } = rule
  const { text } = entry
  if (tool === 'Bash' && content.trim() !== content) {
    return {
      message: `\`${text}\` never matches: no command begins or ends with a space.`,
      fix: `Write \`Bash(${content.trim()})\`.`,
      meant: [`Bash(${content.trim()})`],
    }
  }
  const open = withoutTrailingParentheses(content)
  if (tool === 'Bash' && open !== content && open.endsWith(':*')) {
    const meant = `Bash(${open})`
    return {
      message: `There is an extra closing parenthesis, so \`${text}\` only matches commands that end with one.`,
      fix: `Write \`${meant}\`.`,
      meant: [meant],
    }
  }
  if (tool === 'Bash' && content.endsWith(':*') && content.slice(0, -2).includes('*')) {
    const meant = `Bash(${content.slice(0, -2)}*)`
    return {
      message: `A \`*\` before \`:*\` is literal, so \`${text}\` never matches.`,
      fix: `Write \`${meant}\`.`,
      meant: [meant],
    }
  }
  if (/^(?:Read|Edit)$/.test(tool) && content.includes(':*')) {
    return {
      message: `\`:*\` is for Bash commands only: Claude Code drops \`${text}\`.`,
      fix: 'Use wildcards as in .gitignore: `*`, `**`.',
    }
  }
  const path = /^(?:Read|Edit)$/.test(tool) ? deadPath(tool, content) : undefined
  if (path !== undefined) return path
  if (tool === 'WebFetch' && !content.startsWith('domain:')) {
    const host = /^(?:https?:\/\/)?([\w.*-]+\.[\w-]+)(?:[:/].*)?$/s.exec(content)?.[1]
    return {
      message: `Claude Code supports WebFetch rules only with \`domain:\` and drops \`${text}\`.`,
      fix: `Write \`WebFetch(domain:${host ?? 'example.com'})\`.`,
      ...(host !== undefined && { meant: [`WebFetch(domain:${host})`] }),
    }
  }
  if (entry.list === 'ask' && /^(?:Agent|Task|Skill)$/.test(tool)) {
    const what = tool === 'Skill' ? 'skills' : 'agents'
    return {
      message: `The client can ask about all ${what} or none: \`${text}\` never matches.`,
      fix: `Write \`${tool}\`, which asks about all of them, or deny \`${text}\`.`,
    }
  }
  const effect = ruleEffect(entry)
  return effect.works || tool.includes('*')
    ? undefined
    : {
        message: `\`${text}\` has no effect. ${effect.why}`,
        fix: 'Write it in a form that the client supports, or remove it.',
      }
}

/** A regular expression would take quadratic time on a rule of a megabyte. */
function withoutTrailingParentheses(content: string): string {
  let end = content.length
  while (content[end - 1] === ')') end--
  return content.slice(0, end)
}

function shown(text: string): string {
  return text.trim() === '' ? 'an empty rule' : `\`${text}\``
}
