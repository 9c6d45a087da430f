import * as z from 'zod'

import type { Json } from '@contextd/shared/json/value'
import { memoryScopes } from '../../core/memory-scope.ts'
import type { CountTokens, ToolHost } from '../../core/ports.ts'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import type { Bank } from '../../memory/bank/bank.ts'
import { outcomes } from '../../memory/bank/memory.ts'
import type { MemoryUser } from '../../memory/memory-access.ts'
import type { Store } from '../../platform/storage/store.ts'
import { defineTool } from '../define-tool.ts'

export interface MemoryToolParts {
  readonly bank: Bank
  readonly store: Store
  readonly count: CountTokens
  /** The memory access of a tool's caller. */
  readonly userOf: (host: Pick<ToolHost, 'call' | 'archive' | 'recall'>) => MemoryUser
}

const text = z.string().optional()
const texts = z.array(z.string()).optional()
const outcome = z.enum(outcomes)

const searchShape = z.object({
  query: text,
  task: text,
  scope: z.enum(memoryScopes).optional(),
  outcome: outcome.optional(),
  limit: z.int().optional(),
})
export type SearchArguments = z.output<typeof searchShape>

/** Required fields are reported when missing: every model pays for what is in the schema. */
export const storeShape = z.object({
  title: text,
  description: text,
  content: text,
  outcome: outcome.optional(),
  task: text,
  tags: texts,
  confidence: z.number().optional(),
  scope: z.enum(['project', 'user']).optional(),
  from: texts,
})
export type StoreArguments = z.output<typeof storeShape>

const feedbackShape = z.object({ id: z.string(), helpful: z.boolean(), outcome: outcome.optional() })
export type FeedbackArguments = z.output<typeof feedbackShape>

/** The implementation is loaded on first use. */
const work = () => import('./memory-work.ts')

export function memoryTools(open: () => Promise<MemoryToolParts>): Tool[] {
  type Work = (parts: MemoryToolParts, user: MemoryUser, signal: AbortSignal) => Json | Promise<Json>
  const run = async (host: ToolHost, does: Work) => {
    const parts = await open()
    return answer(await does(parts, parts.userOf(host), host.call.signal))
  }
  return [
    defineTool({
      name: 'memory_search',
      description: 'Finds earlier lessons by query, or the few for a task.',
      input: searchShape,
      needs: ['memory:read'],
      annotations: { readOnlyHint: true },
      async run(args, host) {
        const { searchMemories } = await work()
        return run(host, (parts, user, signal) => searchMemories(parts, user, args, signal))
      },
    }),
    defineTool({
      name: 'memory_get',
      description: 'Reads memories in full.',
      input: z.object({ ids: z.array(z.string()) }),
      needs: ['memory:read'],
      annotations: { readOnlyHint: true },
      async run({ ids }, host) {
        const { getMemories } = await work()
        return run(host, (parts, user) => getMemories(parts, user, ids))
      },
    }),
    defineTool({
      name: 'memory_store',
      description: 'Stores a lesson. With only `from` ids (checkpoint, branch, session): how to distil.',
      input: storeShape,
      needs: ['memory:write'],
      keepsTokens: true,
      // With sources and nothing to store it is a search, which only reads.
      free: ({ title, content }) => title !== undefined || content !== undefined,
      async run(args, host) {
        const { storeMemory } = await work()
        return run(host, (parts, user) => storeMemory(parts, user, args, host.call))
      },
    }),
    defineTool({
      name: 'memory_feedback',
      description: 'Records if a memory helped.',
      input: feedbackShape,
      needs: ['memory:write'],
      keepsTokens: true,
      async run(args, host) {
        const { giveFeedback } = await work()
        return run(host, (parts, user) => giveFeedback(parts, user, args))
      },
    }),
  ]
}
