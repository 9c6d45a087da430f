/** Describes a checkpoint of the project for the operator. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { Operation } from './operation.ts'
import { theText } from './request.ts'
import { jsonList } from './response.ts'

export const checkpointOperations: readonly Operation[] = [
  {
    rpc: 'Checkpoint/Show',
    async run(request, { runtime: { memory } }): Promise<JsonObject> {
      const checkpoints = await memory.checkpoints()
      const { created, isAutomatic, tokens, files, branches, refs, branch, ...about } = checkpoints.get(
        memory.operatorIn(),
        theText(request, 'id'),
      )
      const { id, name, summary, agent, session } = about
      return {
        id,
        name,
        summary,
        created_at: new Date(created).toISOString(),
        agent,
        session,
        automatic: isAutomatic,
        tokens: { ...tokens },
        ...(branch !== undefined && { branch }),
        files: { written: [...files.written], read: [...files.read] },
        branches: jsonList(branches),
        refs: jsonList(refs),
      }
    },
  },
]
