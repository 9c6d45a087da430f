import { ContextdError } from '../../core/errors/errors.ts'
import type { ToolHost } from '../../core/ports.ts'
import { draftShape, type CheckpointToolParts } from './checkpoint-tools.ts'

/** The checkpoint methods of user-defined tools, limited to the access of the caller. */
export function hostCheckpoints(
  open: () => Promise<CheckpointToolParts>,
  host: Pick<ToolHost, 'call' | 'archive' | 'recall'>,
): NonNullable<ToolHost['checkpoints']> {
  return {
    async save(state) {
      const draft = draftShape.strict().safeParse(state)
      if (!draft.success) {
        const expected = 'an object with summary, and perhaps context, state and name'
        throw new ContextdError('INVALID_ARGUMENTS', { fields: [{ field: 'checkpoint', expected }] })
      }
      const { checkpoints, userOf } = await open()
      return checkpoints.save(userOf(host), draft.data).id
    },
    async restore(id) {
      const { checkpoints, userOf } = await open()
      return checkpoints.restore(userOf(host), id, 'context')
    },
  }
}
