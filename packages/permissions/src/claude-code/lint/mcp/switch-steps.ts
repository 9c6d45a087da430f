import { quotedCommand } from '@contextd/shared/text/quoted-command'
import { isJsonObject } from '@contextd/shared/json/value'
import type { ClaudeSetup, Level, McpServer } from '../../setup/setup.ts'

/**
 * The commands that replace a plugin server with a standalone one, in the scope of a rule's level. Undefined if it does
 * not come from a plugin, or needs files of the plugin.
 */
export function switchSteps(setup: ClaudeSetup, server: McpServer, level: Level): string | undefined {
  const { source, owner, name, definition } = server
  const plugin = setup.plugins.find((one) => one.name === owner)
  const target = targetOf(definition)
  if (source !== 'plugin' || plugin === undefined || target === undefined) return undefined
  if (JSON.stringify(definition).includes('${CLAUDE_PLUGIN_')) return undefined
  const scope = level === 'project' || level === 'local' ? level : 'user'
  // Values may be secrets; the user knows them.
  const env = isJsonObject(definition.env) ? Object.keys(definition.env) : []
  const words = [...target.options, ...env.flatMap((key) => ['-e', `${key}=…`])]
  const add = ['claude', 'mcp', 'add', '--scope', scope, ...words, name, ...target.words]
  return `\`${quotedCommand(['claude', 'plugin', 'disable', plugin.id])}\`, then \`${quotedCommand(add)}\``
}

interface Target {
  readonly options: readonly string[]
  readonly words: readonly string[]
}

function targetOf({ command, args, type, url }: McpServer['definition']): Target | undefined {
  if (typeof url === 'string')
    return { options: ['--transport', type === 'sse' ? 'sse' : 'http'], words: [url] }
  if (typeof command !== 'string') return undefined
  const rest = Array.isArray(args) ? args.filter((word) => typeof word === 'string') : []
  return { options: [], words: ['--', command, ...rest] }
}
