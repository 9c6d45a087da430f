import { pluginPrefix, settingsPrefix } from '../../../core/own-tools.ts'
import { ownToolFor } from '../replaced-tools.ts'
import { deny, toolUseOf, type Hook } from './hook.ts'

/** In strict mode, the client's own shell, file and web tools are refused in favour of contextd tools. */
export const blockBuiltin: Hook = async (payload, { mode, env }) => {
  const builtin = toolUseOf(payload).tool
  const tool = ownToolFor(builtin)
  if (mode !== 'strict' || tool === undefined) return undefined
  const prefix = env.CLAUDE_PLUGIN_ROOT ? pluginPrefix : settingsPrefix
  return deny(
    `${builtin} is disabled (client.mode = "strict"): use contextd's ${tool} instead (${prefix}${tool}).`,
  )
}
