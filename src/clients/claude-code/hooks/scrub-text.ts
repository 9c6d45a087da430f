import type { Hook, HookPayload } from './hook.ts'

/**
 * For whoever passes on text as it comes, such as the output of a command: `text` as the agent may see it, with `before`
 * as what came just ahead of it.
 */
export const scrubText: Hook = async (payload, ports) => {
  const { text, before } = payload as HookPayload & { text?: unknown; before?: unknown }
  if (typeof text !== 'string') throw new Error('the payload has no text')
  const session = await ports.session()
  return { text: (await session.clean(text, typeof before === 'string' ? { before } : {})).value }
}
