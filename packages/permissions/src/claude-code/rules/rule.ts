/** Parses a permission rule of Claude Code, and determines whether it has an effect at its level and in its list. */

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
  /** The text in parentheses; absent if it is `*`, which is equivalent to the bare name. */
  readonly content?: string
  /** Whether the rule has parentheses, whatever their content. */
  readonly hasParentheses: boolean
  readonly mcp?: McpForm
}

export interface RuleProblem {
  readonly problem: string
}

export function parseRule(text: string): ClaudeRule | RuleProblem {
  if (text === '') return { problem: 'the rule is empty' }
  if (text.trim() !== text) return { problem: 'leading and trailing spaces are not trimmed' }
  const open = openingParenthesis(text)
  if (open === -1) {
    if (/[^\\]\)/.test(text)) return { problem: 'a closing parenthesis has no opening one' }
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

/** Rules without effect, by list and level. The first match determines the reason. */
const ineffective: readonly {
  readonly lists: readonly RuleEntry['list'][]
  readonly where: 'settings' | 'flags' | 'both'
  readonly matches: (rule: ClaudeRule) => boolean
  readonly why: string
}[] = [
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'settings',
    matches: (rule) => rule.tool.startsWith('mcp__') && rule.hasParentheses,
    why: 'The client ignores rules for MCP tools with parentheses.',
  },
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'flags',
    matches: (rule) => rule.tool.startsWith('mcp__') && rule.content !== undefined && rule.content !== '',
    why: 'The client does not match arguments of MCP tools.',
  },
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'both',
    matches: (rule) => !rule.tool.startsWith('mcp__') && (rule.content === '' || rule.content === ':*'),
    why: 'The client ignores rules with empty parentheses.',
  },
  {
    lists: ['allow'],
    where: 'both',
    matches: (rule) => rule.mcp === 'server-wildcard' || (rule.mcp === undefined && rule.tool.includes('*')),
    why: 'In an allow rule, the client ignores a wildcard before the tool name.',
  },
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'both',
    matches: (rule) =>
      /^(?:Write|NotebookEdit|MultiEdit|NotebookRead|Glob|Grep|LS)$/.test(rule.tool) &&
      rule.content !== undefined,
    why: 'The client matches paths in Read and Edit rules only; Edit covers all tools that write.',
  },
  {
    lists: ['allow', 'ask', 'deny'],
    where: 'both',
    matches: (rule) => rule.tool === 'WebFetch' && rule.content?.startsWith('domain:') === false,
    why: 'The client supports WebFetch rules only in the form `WebFetch(domain:…)`.',
  },
  {
    lists: ['ask'],
    where: 'both',
    matches: (rule) => /^(?:Agent|Task|Skill)$/.test(rule.tool) && rule.content !== undefined,
    why: 'The client ignores ask rules for individual agents and skills.',
  },
]

/** Whether a rule has an effect at its level and in its list, regardless of the workspace and other rules. */
export function ruleEffect({ level, list, text }: Pick<RuleEntry, 'level' | 'list' | 'text'>): RuleEffect {
  const rule = parseRule(text)
  if ('problem' in rule) return { works: false, why: `The client ignores it: ${rule.problem}.` }
  const where = level === 'cli' ? 'flags' : 'settings'
  const match = ineffective.find(
    (one) => one.lists.includes(list) && (one.where === 'both' || one.where === where) && one.matches(rule),
  )
  return match === undefined ? { works: true, rule } : { works: false, why: match.why }
}
