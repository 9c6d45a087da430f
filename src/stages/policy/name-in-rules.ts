import type { Call } from '../../core/call.ts'
import type { Tool } from '../../core/tool.ts'

/**
 * What the rules call it. The catalogue knows best which server a tool belongs to; a tool that clients see
 * as `<server>__<tool>` is in the rules under its own name.
 */
export function nameInRules(
  { server, tool: name }: Pick<Call, 'server' | 'tool'>,
  tool: Tool | undefined,
): { server: string; tool: string } {
  if (tool === undefined) return { server, tool: name }
  const prefix = `${tool.server}__`
  return { server: tool.server, tool: name.startsWith(prefix) ? name.slice(prefix.length) : name }
}
