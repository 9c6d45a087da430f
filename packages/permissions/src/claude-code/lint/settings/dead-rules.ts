/** Rules that can never be met. Those about MCP tools are looked at elsewhere, unless they are no rules at all. */

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
    title: 'A rule that the client cannot read',
    why: 'A rule is the name of a tool, or the name with something in parentheses: `Bash`, `Bash(npm test)`. Blanks around it, a parenthesis too many or too few, or nothing in the parentheses, and Claude Code drops that rule silently. A dropped deny rule is an error: what it should close is open.\n\n`--fix` corrects deny and ask rules where it is plain what was meant.',
    check: deadRules(unlessForeign(malformed)),
  },
  {
    id: 'unknown-tool',
    severity: 'warning',
    title: 'A rule for a tool that there is not',
    why: 'Names of tools are compared letter by letter: `bash` is not `Bash`. A rule for a name that no tool has is kept and never met. In allow rules a wildcard cannot stand for the name of a tool either.\n\n`--fix` corrects the case of deny and ask rules.',
    check: deadRules(unlessForeign(unknownTool)),
  },
  {
    id: 'path-rule-tool',
    severity: 'warning',
    title: 'A path rule for a tool whose paths are not looked at',
    why: 'For paths the client asks two kinds of rules only: `Read(path)` for everything that reads, `Edit(path)` for everything that writes. `Write(path)`, `MultiEdit(path)`, `NotebookEdit(path)`, `Glob(path)` and `Grep(path)` are accepted and never met.\n\n`--fix` rewrites deny and ask rules.',
    check: deadRules(unlessForeign(pathTool)),
  },
  {
    id: 'path-rule-anchor',
    severity: 'warning',
    title: 'An absolute path with one slash',
    why: 'In a rule `/etc/passwd` is not the file of that name: one slash begins at the project (in the settings of the user: at `~/.claude`). The root is written with two, `//etc/passwd`, the home folder with `~/`.\n\n`--fix` puts the other form beside deny and ask rules.',
    check: deadRules(pathAnchor),
  },
  {
    id: 'unmatchable-rule',
    severity: 'warning',
    title: 'A rule whose content is never met',
    why: 'What may stand in the parentheses depends on the tool. `:*` ends a prefix of Bash commands, and a `*` before it is taken by its letter; paths take wildcards but no `:*`, no `..`, no `!`, no braces and no variables; WebFetch wants `domain:` and a host, not an address; a blank at either end has to be there in the command too.\n\n`--fix` rewrites deny and ask rules where it is plain what was meant.',
    check: deadRules(unlessForeign(unmatchable)),
  },
]

function malformed({ text }: RuleEntry, rule: ClaudeRule | undefined): RuleFault | undefined {
  if (rule !== undefined) {
    if (!rule.hasParentheses || (rule.content ?? '') !== '' || text.endsWith('(*)')) return undefined
    return {
      message: `Claude Code drops \`${text}\`: nothing stands in the parentheses.`,
      fix: `Write \`${rule.tool}\` for all of it, or put into the parentheses what you mean.`,
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

/** Without blanks around, and with the parenthesis closed. */
function corrected(text: string): string | undefined {
  const trimmed = text.trim().replace(/^(\w+)\s+\(/, '$1(')
  const opened = trimmed.split('(').length - trimmed.split(')').length
  const closed = opened === 1 ? `${trimmed})` : trimmed
  const isRule = !closed.endsWith('()') && !('problem' in parseRule(closed))
  return closed !== text && isRule ? closed : undefined
}

function unknownTool({ text, list }: RuleEntry, rule: ClaudeRule | undefined): RuleFault | undefined {
  if (rule === undefined || isClaudeTool(rule.tool)) return undefined
  // Of its paths another rule speaks.
  if (pathTools.has(rule.tool) && rule.content !== undefined) return undefined
  const { tool } = rule
  // `plugin:name:server` and the like are names of servers.
  if (/^plugin:|^mcp_/.test(tool)) return undefined
  if (tool.includes('*')) {
    if (list !== 'allow') return undefined
    return {
      message: `In an allow rule Claude Code obeys no wildcard for the name of a tool: \`${text}\` allows nothing.`,
      fix: 'Name the tools one by one.',
    }
  }
  const spaced = /^(\w+)\s+$/.exec(tool)?.[1]
  // Tools that there were are no slip of the finger.
  const near = pathTools.has(tool) ? undefined : nearest(spaced ?? tool, claudeTools)
  if (near === undefined) {
    return {
      message: `Claude Code (2.1.325) has no tool \`${tool}\`, so \`${text}\` is never met.`,
      fix: 'Remove the rule, or name the tool as the client does.',
      severity: 'note',
    }
  }
  const isCase = (spaced ?? tool).toLowerCase() === near.toLowerCase()
  const meant = text.replace(tool, near)
  return {
    message: `No tool is named \`${tool}\`, so \`${text}\` is never met.`,
    fix: isCase ? `Write \`${meant}\`.` : `Did you mean \`${meant}\`?`,
    ...(isCase && { meant: [meant] }),
  }
}

/** Which rule is asked in place of theirs. */
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
  const counts = rule && pathTools.get(rule.tool)
  if (counts === undefined || rule?.content === undefined) return undefined
  const meant = `${counts}(${rule.content})`
  return {
    message: `Claude Code does not look at the paths of ${rule.tool} rules: \`${text}\` is never met.`,
    fix: `Write \`${meant}\`: it stands for every tool that ${counts === 'Edit' ? 'writes' : 'reads'}.`,
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
  const isOfHere = folders.some((folder) => content === folder || content.startsWith(`${folder}/`))
  if (!isOfHere && !rootFolders.test(content)) return undefined
  const meant = `${rule.tool}(/${content})`
  if (writtenIn(setup).has(`${list} ${meant}`)) return undefined
  const begins = level === 'user' ? "the client's own folder" : 'the project'
  return {
    message: `One slash begins at ${begins}, so \`${text}\` does not mean \`${content}\`.`,
    fix: `Write \`${meant}\`.`,
    // There may be such a folder in the project too.
    meant: [text, meant],
  }
}

const writtenIn = oncePer(
  ({ settings }: ClaudeSetup) =>
    new Set(settings.flatMap(({ rules }) => rules.map(({ list, text }) => `${list} ${text}`))),
)

function unmatchable(entry: RuleEntry, rule: ClaudeRule | undefined): RuleFault | undefined {
  const content = rule?.content
  // Nothing in the parentheses is no rule at all.
  if (rule === undefined || !content || pathTools.has(rule.tool)) return undefined
  const { tool } = rule
  const { text } = entry
  if (tool === 'Bash' && content.trim() !== content) {
    return {
      message: `\`${text}\` is never met: no command begins or ends with a blank.`,
      fix: `Write \`Bash(${content.trim()})\`.`,
      meant: [`Bash(${content.trim()})`],
    }
  }
  const open = withoutLastParentheses(content)
  if (tool === 'Bash' && open !== content && open.endsWith(':*')) {
    const meant = `Bash(${open})`
    return {
      message: `The parenthesis is closed too often, so \`${text}\` wants a command that ends with one.`,
      fix: `Write \`${meant}\`.`,
      meant: [meant],
    }
  }
  if (tool === 'Bash' && content.endsWith(':*') && content.slice(0, -2).includes('*')) {
    const meant = `Bash(${content.slice(0, -2)}*)`
    return {
      message: `Before \`:*\` a \`*\` is taken by its letter, so \`${text}\` is never met.`,
      fix: `Write \`${meant}\`.`,
      meant: [meant],
    }
  }
  if (/^(?:Read|Edit)$/.test(tool) && content.includes(':*')) {
    return {
      message: `\`:*\` is for Bash commands: Claude Code drops \`${text}\`.`,
      fix: 'Use wildcards as in a .gitignore: `*`, `**`.',
    }
  }
  const path = /^(?:Read|Edit)$/.test(tool) ? deadPath(tool, content) : undefined
  if (path !== undefined) return path
  if (tool === 'WebFetch' && !content.startsWith('domain:')) {
    const host = /^(?:https?:\/\/)?([\w.*-]+\.[\w-]+)(?:[:/].*)?$/s.exec(content)?.[1]
    return {
      message: `Claude Code knows rules for WebFetch only with \`domain:\` and drops \`${text}\`.`,
      fix: `Write \`WebFetch(domain:${host ?? 'example.com'})\`.`,
      ...(host !== undefined && { meant: [`WebFetch(domain:${host})`] }),
    }
  }
  if (entry.list === 'ask' && /^(?:Agent|Task|Skill)$/.test(tool)) {
    const what = tool === 'Skill' ? 'skills' : 'agents'
    return {
      message: `The client asks about all ${what} or none: \`${text}\` is never met.`,
      fix: `Write \`${tool}\`, which asks about every one of them, or deny \`${text}\`.`,
    }
  }
  const effect = ruleEffect(entry)
  return effect.works || tool.includes('*')
    ? undefined
    : {
        message: `\`${text}\` has no effect. ${effect.why}`,
        fix: 'Write it in a form that the client obeys, or remove it.',
      }
}

/** Not by an expression, which would begin again at each one that a rule of a megabyte has. */
function withoutLastParentheses(content: string): string {
  let end = content.length
  while (content[end - 1] === ')') end--
  return content.slice(0, end)
}

function shown(text: string): string {
  return text.trim() === '' ? 'an empty rule' : `\`${text}\``
}
