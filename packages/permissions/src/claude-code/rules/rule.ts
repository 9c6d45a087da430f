/** One permission rule of Claude Code: what its text says, and whether the client obeys it where it stands. */

import type { RuleEntry } from '../setup/setup.ts'

/** The forms in which a rule names tools of MCP servers. */
export type McpForm =
  /** `mcp__server__tool` */
  | 'tool'
  /** `mcp__server` */
  | 'server'
  /** `mcp__server__*` */
  | 'all-tools'
  /** `mcp__server__get_*`, `mcp__server__*_all` */
  | 'some-tools'
  /** `mcp__*`, `mcp__ser*`, `mcp__*__tool` */
  | 'server-wildcard'

export interface ClaudeRule {
  readonly tool: string
  /** What stands in parentheses; none where that is `*`, which says the same as the bare name. */
  readonly content?: string
  /** Whether parentheses were written, whatever is in them. */
  readonly hasParentheses: boolean
  readonly mcp?: McpForm
}

export interface RuleProblem {
  readonly problem: string
}

export function parseRule(text: string): ClaudeRule | RuleProblem {
  if (text === '') return { problem: 'the rule is empty' }
  if (text.trim() !== text) return { problem: 'blanks around a rule are not cut off' }
  const open = openingParenthesis(text)
  if (open === -1) {
    if (/[^\\]\)/.test(text)) return { problem: 'a parenthesis is closed that was never opened' }
    return describe(text, undefined)
  }
  if (!text.endsWith(')')) return { problem: 'the parenthesis is not closed at the end of the rule' }
  const tool = text.slice(0, open)
  if (tool === '') return { problem: 'no tool is named before the parenthesis' }
  return describe(tool, text.slice(open + 1, -1).replaceAll(/\\([()])/g, '$1'))
}

function describe(tool: string, inside: string | undefined): ClaudeRule {
  const mcp = mcpForm(tool)
  const content = inside === '*' ? undefined : inside
  return {
    tool,
    hasParentheses: inside !== undefined,
    ...(content !== undefined && { content }),
    ...(mcp !== undefined && { mcp }),
  }
}

function openingParenthesis(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '(') return at
  }
  return -1
}

function mcpForm(tool: string): McpForm | undefined {
  if (!tool.startsWith('mcp__')) return undefined
  const rest = tool.slice('mcp__'.length)
  const end = rest.indexOf('__')
  const server = end === -1 ? rest : rest.slice(0, end)
  if (server.includes('*')) return 'server-wildcard'
  if (end === -1) return 'server'
  const name = rest.slice(end + 2)
  if (/^\*+$/.test(name)) return 'all-tools'
  return name.includes('*') ? 'some-tools' : 'tool'
}

export type RuleEffect =
  | { readonly works: true; readonly rule: ClaudeRule }
  /** Why it has no effect, in one sentence. */
  | { readonly works: false; readonly why: string }

/** What the client does not obey, in which lists and on which levels. The first that fits says why. */
const withoutEffect: readonly {
  readonly lists: readonly RuleEntry['list'][]
  readonly where: 'settings' | 'flags' | 'both'
  readonly fits: (rule: ClaudeRule) => boolean
  readonly why: string
}[] = [
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'settings',
    fits: (rule) => rule.tool.startsWith('mcp__') && rule.hasParentheses,
    why: 'The client drops rules for MCP tools that have parentheses.',
  },
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'flags',
    fits: (rule) => rule.tool.startsWith('mcp__') && rule.content !== undefined && rule.content !== '',
    why: 'The client does not look at the arguments of MCP tools.',
  },
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'both',
    fits: (rule) => !rule.tool.startsWith('mcp__') && (rule.content === '' || rule.content === ':*'),
    why: 'The client ignores rules with nothing in the parentheses.',
  },
  {
    lists: ['allow'],
    where: 'both',
    fits: (rule) => rule.mcp === 'server-wildcard' || (rule.mcp === undefined && rule.tool.includes('*')),
    why: 'In an allow rule the client obeys no wildcard in front of the name of a tool.',
  },
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'both',
    fits: (rule) =>
      /^(?:Write|NotebookEdit|MultiEdit|NotebookRead|Glob|Grep|LS)$/.test(rule.tool) &&
      rule.content !== undefined,
    why: 'The client looks at the paths of Read and Edit rules only; Edit stands for all tools that write.',
  },
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'both',
    fits: (rule) => rule.tool === 'WebFetch' && rule.content?.startsWith('domain:') === false,
    why: 'The client knows rules for WebFetch only in the form `WebFetch(domain:…)`.',
  },
  {
    lists: ['ask'],
    where: 'both',
    fits: (rule) => /^(?:Agent|Task|Skill)$/.test(rule.tool) && rule.content !== undefined,
    why: 'The client starts agents and skills without looking at ask rules that name one of them.',
  },
]

/** Whether the client obeys a rule at its level and in its list, whatever the workspace and other rules say. */
export function ruleEffect({ level, list, text }: Pick<RuleEntry, 'level' | 'list' | 'text'>): RuleEffect {
  const rule = parseRule(text)
  if ('problem' in rule) return { works: false, why: `The client ignores it: ${rule.problem}.` }
  const where = level === 'cli' ? 'flags' : 'settings'
  const trap = withoutEffect.find(
    (one) => one.lists.includes(list) && (one.where === 'both' || one.where === where) && one.fits(rule),
  )
  return trap === undefined ? { works: true, rule } : { works: false, why: trap.why }
}
