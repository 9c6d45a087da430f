/** Whether a rule matches a tool, and whether its content matches the tool's argument. */

import { matchesStars } from '@contextd/shared/text/wildcard'
import { builtin, canonicalTool } from '../rules/builtin-tools.ts'
import { matchesPathRule, type Anchors } from '../rules/path-rule.ts'
import type { ClaudeRule } from '../rules/rule.ts'
import type { RuleEntry } from '../setup/setup.ts'
import { parseToolName } from '../rules/tool-names.ts'

export interface ToolName {
  /** The client's name for the tool. */
  readonly name: string
  /** Prefix of the MCP server, for its tools: `mcp__plugin_broker_ctx`. */
  readonly prefix?: string
}

/**
 * Whether a rule names the tool. Allow rules match the server that the tool actually belongs to. Ask and deny rules also
 * match the server its name appears to have: denying `mcp__a` also denies the tools of a server named `a__b`.
 */
export function namesTool(rule: ClaudeRule, list: RuleEntry['list'], { name, prefix }: ToolName): boolean {
  const pattern = canonicalTool(rule.tool)
  if (pattern === name) return true
  const apparentPrefix = parseToolName(name)?.prefix
  if (pattern.includes('*')) {
    if (prefix !== undefined && !/^(?:mcp__|\*+$)/.test(pattern)) return false
    if (list === 'allow' && (prefix === undefined || !pattern.startsWith(`${prefix}__`))) return false
    return matchesStars(pattern, name)
  }
  if (list === 'allow') return pattern === prefix && pattern === apparentPrefix
  return prefix !== undefined && (pattern === prefix || pattern === apparentPrefix)
}

/** Documentation hosts that the client fetches from without asking. Not complete. */
export const preapprovedHosts: ReadonlySet<string> = new Set([
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

/** The host of a URL or a `domain:` specifier; any other text is returned unchanged. */
export function hostOf(address: string): string {
  if (address.startsWith('domain:')) return address.slice('domain:'.length)
  return URL.canParse(address) ? new URL(address).hostname : address
}

/** `domain:example.com` matches that host only, `domain:*.example.com` its subdomains. */
function matchesDomain(content: string, address: string): boolean {
  const domain = content.slice('domain:'.length).toLowerCase()
  return matchesStars(domain, hostOf(address).toLowerCase())
}

/** A leading slash is ignored; `name:*` and `name *` match by prefix. */
function matchesSkill(content: string, skill: string): boolean {
  const name = content.replace(/^\//, '')
  return /[: ]\*$/.test(name) ? skill.startsWith(name.slice(0, -2)) : skill === name
}

/** Whether the content of a rule matches the argument. Shell commands are matched part by part in `shell/`. */
export function matchesArgument(
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
