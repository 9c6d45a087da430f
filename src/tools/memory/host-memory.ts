import { ContextdError } from '../../core/errors/errors.ts'
import type { ToolHost } from '../../core/ports.ts'
import { storeShape, type MemoryToolParts } from './memory-tools.ts'

const work = () => import('./memory-work.ts')

/** The memory methods of user-defined tools, limited to the access of the caller. */
export function hostMemory(
  open: () => Promise<MemoryToolParts>,
  host: Pick<ToolHost, 'call' | 'archive' | 'recall'>,
): NonNullable<ToolHost['memory']> {
  return {
    async search(query) {
      const { searchMemories } = await work()
      const parts = await open()
      return searchMemories(parts, parts.userOf(host), { query }, host.call.signal)
    },
    async store(memory) {
      const parsed = storeShape.strict().safeParse(memory)
      if (!parsed.success) {
        const expected = 'an object with title, description, content and outcome, and perhaps task and tags'
        throw new ContextdError('INVALID_ARGUMENTS', { fields: [{ field: 'memory', expected }] })
      }
      const { saveMemory } = await work()
      const parts = await open()
      return (await saveMemory(parts, parts.userOf(host), parsed.data, host.call)).id
    },
  }
}
