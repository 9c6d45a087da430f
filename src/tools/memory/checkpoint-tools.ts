import * as z from 'zod'

import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import type { MemoryUser } from '../../memory/memory-access.ts'
import { checkpointLevels, levelTokens } from '../../memory/checkpoints/checkpoint.ts'
import type { Checkpoints, SavedCheckpoint } from '../../memory/checkpoints/checkpoints.ts'
import { defineTool } from '../define-tool.ts'

export interface CheckpointToolParts {
  readonly checkpoints: Checkpoints
  /** The memory access of a tool's caller. */
  readonly userOf: (host: Pick<ToolHost, 'call' | 'archive' | 'recall'>) => MemoryUser
}

export const draftShape = z.object({
  summary: z.string(),
  context: z.string().optional(),
  // Accepts anything without describing it; the value is already JSON.
  state: z.any().optional(),
  name: z.string().optional(),
})

export function checkpointTools(open: () => Promise<CheckpointToolParts>): Tool[] {
  return [
    defineTool({
      name: 'checkpoint_save',
      description: "Saves this session's state.",
      input: draftShape,
      needs: ['memory:write'],
      keepsTokens: true,
      free: () => true,
      async run(args, host) {
        const { checkpoints, userOf } = await open()
        return answer(savedAnswer(checkpoints.save(userOf(host), args)))
      },
    }),
    defineTool({
      name: 'checkpoint_list',
      description: 'Lists checkpoints.',
      input: z.object({ before: z.string().optional() }),
      needs: ['memory:read'],
      annotations: { readOnlyHint: true },
      async run({ before }, host) {
        const { checkpoints, userOf } = await open()
        return answer(checkpoints.listAnswer(userOf(host), before))
      },
    }),
    defineTool({
      name: 'checkpoint_restore',
      description: 'Reads a checkpoint.',
      input: z.object({ id: z.string(), level: z.enum(checkpointLevels).optional() }),
      needs: ['memory:read'],
      annotations: { readOnlyHint: true },
      async run({ id, level = 'context' }, host) {
        const { checkpoints, userOf } = await open()
        const user = userOf(host)
        if (level !== 'full') return answer(checkpoints.restore(user, id, level))
        const ref = host.refs.save(checkpoints.fullText(user, id))
        const { text, next, total } = host.refs.read(ref)
        return answer(text, { slice: { ref, from: 0, to: next ?? total, total } })
      },
    }),
  ]
}

function savedAnswer({ id, tokens, ...counts }: SavedCheckpoint): JsonObject {
  const isLong = tokens.summary > levelTokens.summary
  return {
    id,
    ...counts,
    tokens: tokens.full,
    ...(isLong && {
      remark: `The summary has ${tokens.summary} tokens; where under ${levelTokens.summary} are shown it is shortened.`,
    }),
  }
}
