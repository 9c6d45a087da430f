import type { Hook, HookPayload } from './hook.ts'

/** Scrubs `text` of a stream, such as command output; `before` is the text just before it. */
export const scrubText: Hook = async (payload, ports) => {
  const { text, before } = payload as HookPayload & { text?: unknown; before?: unknown }
  if (typeof text !== 'string') throw new Error('the payload has no text')
  const session = await ports.session()
  return { text: (await session.clean(text, typeof before === 'string' ? { before } : {})).value }
}
