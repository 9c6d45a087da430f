/** Whether a rule is about a tool, and about what the tool is asked to do. */

import { matchesStars } from '@contextd/shared/text/wildcard'
import { builtin, canonicalTool } from '../rules/builtin-tools.ts'
import { matchesPathRule, type Anchors } from '../rules/path-rule.ts'
import type { ClaudeRule } from '../rules/rule.ts'
import type { RuleEntry } from '../setup/setup.ts'
import { parseToolName } from '../rules/tool-names.ts'

export interface ToolName {
  /** As the client calls it. */
  readonly name: string
  /** Of a tool of an MCP server: `mcp__plugin_broker_ctx`. */
  readonly prefix?: string
}

/**
 * Whether a rule names the tool. To allow, the client goes by the server that a tool really belongs to; to ask and to
 * deny, also by what its name looks like: `mcp__a` takes away the tools of a server named `a__b`.
 */
export function namesTool(rule: ClaudeRule, list: RuleEntry['list'], { name, prefix }: ToolName): boolean {
  const named = canonicalTool(rule.tool)
  if (named === name) return true
  const seeming = parseToolName(name)?.prefix
  if (named.includes('*')) {
    if (prefix !== undefined && !/^(?:mcp__|\*+$)/.test(named)) return false
    if (list === 'allow' && (prefix === undefined || !named.startsWith(`${prefix}__`))) return false
    return matchesStars(named, name)
  }
  if (list === 'allow') return named === prefix && named === seeming
  return prefix !== undefined && (named === prefix || named === seeming)
}

/** Documentation that the client fetches without asking; there are more such hosts. */
export const freeHosts: ReadonlySet<string> = new Set([
  'agentskills.io',
  'angular.io',
  'bun.sh',
  'code.claude.com',
  'developer.apple.com',
  'developer.mozilla.org',
  'doc.rust-lang.org',
  'docs.aws.amazon.com',
  'docs.djangoproject.com',
  'docs.oracle.com',
  'docs.python.org',
  'docs.swift.org',
  'expressjs.com',
  'fastapi.tiangolo.com',
  'flask.palletsprojects.com',
  'git-scm.com',
  'jestjs.io',
  'kotlinlang.org',
  'kubernetes.io',
  'laravel.com',
  'learn.microsoft.com',
  'modelcontextprotocol.io',
  'nextjs.org',
  'nodejs.org',
  'numpy.org',
  'pandas.pydata.org',
  'platform.claude.com',
  'pytorch.org',
  'react.dev',
  'redis.io',
  'tailwindcss.com',
  'vuejs.org',
  'webpack.js.org',
  'www.php.net',
  'www.postgresql.org',
  'www.typescriptlang.org',
])

/** The host of an address, or what may be one. */
export function hostOf(address: string): string {
  if (address.startsWith('domain:')) return address.slice('domain:'.length)
  return URL.canParse(address) ? new URL(address).hostname : address
}

/** `domain:example.com` is that host alone, `domain:*.example.com` those below it. */
function matchesDomain(content: string, address: string): boolean {
  const domain = content.slice('domain:'.length).toLowerCase()
  return matchesStars(domain, hostOf(address).toLowerCase())
}

/** A slash in front counts for nothing; `name:*` and `name *` are all that begin like that. */
function matchesSkill(content: string, skill: string): boolean {
  const name = content.replace(/^\//, '')
  return /[: ]\*$/.test(name) ? skill.startsWith(name.slice(0, -2)) : skill === name
}

/** Whether what stands in parentheses means the argument. Commands of a shell are looked at elsewhere, part by part. */
export function meansArgument(
  content: string,
  entry: Pick<RuleEntry, 'level'>,
  tool: string,
  argument: string,
  places: Anchors,
): boolean {
  const kind = builtin(tool)?.kind
  if (kind === 'read' || kind === 'write') return matchesPathRule(content, entry.level, argument, places)
  if (kind === 'fetch') return matchesDomain(content, argument)
  if (kind === 'skill') return matchesSkill(content, argument)
  return kind === 'agent' && content === argument
}
