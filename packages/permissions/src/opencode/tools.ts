/** Tools and other names in OpenCode's `permission`. */

import { nearest } from '@contextd/shared/text/nearest'

/** Tools that accept one word for all calls, and no patterns. */
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

/** Tools to which the rules of another tool apply; they can only be denied by its name. */
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

/** Converts a Claude Code name to OpenCode's; null if it has no equivalent, undefined if it is not a Claude Code name. */
export function fromClaude(name: string): string | null | undefined {
  const [, server, tool] = /^mcp__(.+?)(?:__(.*))?$/s.exec(name) ?? []
  if (server !== undefined) return /[*?]/.test(server) ? null : `${server}_${tool || '*'}`
  const [, bare = name, argument] = /^([A-Za-z]+)\((.*)\)$/s.exec(name) ?? []
  return argument === undefined ? claudeTools.get(bare) : null
}

/** Prefix of the names of a server's tools. */
export function openCodeServerPrefix(server: string): string {
  return `${server.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_`
}

export function meantTool(name: string): string | undefined {
  return nearest(name, knownTools)
}
