/** What `permission` of OpenCode can be about. */

import { nearest } from '@contextd/shared/text/nearest'

/** Those that take one word for all calls, and no patterns. */
export const flatTools = ['todowrite', 'question', 'webfetch', 'websearch', 'doom_loop']

export const knownTools = [
  ...flatTools,
  'bash',
  'edit',
  'external_directory',
  'glob',
  'grep',
  'list',
  'lsp',
  'plan_enter',
  'plan_exit',
  'read',
  'skill',
  'task',
]

/** Tools that go by the rules of another, under whose name alone they can be denied. */
export const governedBy: ReadonlyMap<string, string> = new Map([
  ['write', 'edit'],
  ['patch', 'edit'],
  ['apply_patch', 'edit'],
  ['multiedit', 'edit'],
  ['list_mcp_resources', 'read'],
  ['list_mcp_resource_templates', 'read'],
  ['read_mcp_resource', 'read'],
])

const claudeTools: ReadonlyMap<string, string> = new Map([
  ['Agent', 'task'],
  ['Bash', 'bash'],
  ['Edit', 'edit'],
  ['Glob', 'glob'],
  ['Grep', 'grep'],
  ['LS', 'list'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Read', 'read'],
  ['Skill', 'skill'],
  ['Task', 'task'],
  ['TodoWrite', 'todowrite'],
  ['WebFetch', 'webfetch'],
  ['WebSearch', 'websearch'],
  ['Write', 'edit'],
])

/** What a name of Claude Code is called here; null where it is one and there is no such thing. */
export function fromClaude(name: string): string | null | undefined {
  const [, server, tool] = /^mcp__(.+?)(?:__(.*))?$/s.exec(name) ?? []
  if (server !== undefined) return /[*?]/.test(server) ? null : `${server}_${tool || '*'}`
  const [, bare = name, argument] = /^([A-Za-z]+)\((.*)\)$/s.exec(name) ?? []
  const same = claudeTools.get(bare)
  if (argument !== undefined) return null
  return same
}

/** How the client begins the names of a server's tools. */
export function openCodeServerPrefix(server: string): string {
  return `${server.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_`
}

export function meantTool(name: string): string | undefined {
  return nearest(name, knownTools)
}
