/** Subtasks that agents opened in the project, and what they kept out of the parent's context. */

import type { RuntimeCore } from '../../../compose.ts'
import { ContextdError, shortName } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Operation } from './operation.ts'
import { countField, theText } from './request.ts'

type Memory = RuntimeCore['memory']
type BranchRecord = ReturnType<Memory['branches']['list']>[number]

export const branchOperations: readonly Operation[] = [
  {
    rpc: 'Branch/List',
    async run(request, { runtime: { memory } }) {
      const found = memory.branches.list(countField(request, 'limit', { min: 1 }) ?? usualLimit)
      return { branches: found.map((branch) => brief(branch, memory)) }
    },
  },
  {
    rpc: 'Branch/Show',
    async run(request, { runtime: { memory } }) {
      const id = theText(request, 'id')
      const branch = memory.branches.find(id)
      if (branch === undefined) {
        const hint = '`ctxd branch list` shows the branches of this project.'
        throw new ContextdError('NOT_FOUND', { what: `branch ${shortName(id)} in this project`, hint })
      }
      const { prompt, message } = branch
      return {
        ...brief(branch, memory),
        prompt: readable(prompt, memory),
        message: readable(message, memory),
      }
    },
  },
]

const usualLimit = 20

function brief(branch: BranchRecord, memory: Memory): JsonObject {
  const { id, state, description, session, parent, depth, openedBy, workedBy, ended } = branch
  return {
    id,
    state,
    description: readable(description, memory),
    session,
    ...(parent !== undefined && { parent }),
    depth,
    opened_by: openedBy,
    ...(workedBy !== undefined && { worked_in_by: workedBy }),
    budget: branch.budget,
    used: branch.used,
    kept_out: branch.keptOut,
    created_at: new Date(branch.created).toISOString(),
    ends_at: new Date(branch.ends).toISOString(),
    ...(ended !== undefined && { ended_at: new Date(ended).toISOString() }),
  }
}

function readable(text: string, memory: Memory): string {
  return memory.operatorIn().archiver.recall(text)
}
