/** Stored data for the hooks at the start of a session and before its compaction. */

import { attestedIn, hookCaller, type HookMemory } from '../../clients/claude-code/hooks/hook.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import { maskAndScrub } from '../../core/findings.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { reaches } from '../../core/memory-scope.ts'
import type { MemoryUser } from '../../memory/memory-access.ts'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import type { OpenSession } from './hook-calls.ts'

/** Together with a checkpoint offer, a session start stays under 800 tokens. */
const notesTokens = 540
/** The beginning describes the task; a prompt may contain a whole file. */
const maxTaskLength = 4000

export function hookMemory({ runtime, payload, project, session }: OpenSession): HookMemory {
  const { memory, config, audit, store, scrubbed, privacy } = runtime
  const attested = attestedIn(payload)
  const may = (tool: string): boolean => runtime.previewDecision({ attested }, tool)?.allowed === true
  const { reach, archiver } = memory.agentIn({ project, session }, attested.agent)
  const user: MemoryUser = {
    reach: {
      ...reach,
      read: may('checkpoint_restore') && may('memory_get') ? reach.read : [],
      write: may('checkpoint_save') ? reach.write : [],
    },
    archiver,
  }
  const owner = { tenant: LOCAL_TENANT, project, session }
  const event = (name: string, details: JsonObject): void =>
    void audit.event(name, details, { project, session, agent: hookCaller(payload) })
  const clean = (text: string): string =>
    maskAndScrub(text, owner, { scrub: scrubbed, privacy }, undefined).text
  return {
    maySave: config.checkpoint.before_compact && reaches(user.reach.write, 'project'),
    clean,
    async save(notes) {
      const { id } = (await memory.checkpoints()).save(user, { ...notes, isAutomatic: true })
      event('checkpoint-saved', { id })
      return id
    },
    offer: async (when) => (await memory.checkpoints()).offer(user, when),
    async notesFor(task) {
      const count = config.memory.at_start
      if (count === 0 || user.reach.read.length === 0) return undefined
      if (store.rows('audit', owner).first({ event: 'memories-given' }) !== undefined) return undefined
      const { memoriesForTask } = await import('../../memory/bank/for-task.ts')
      const options = { count, tokens: notesTokens, countTokens: estimateTokens }
      const { text } = await memoriesForTask(
        await memory.bank(),
        user,
        clean(task).slice(0, maxTaskLength).toWellFormed(),
        options,
      )
      event('memories-given', { given: text !== undefined })
      return text
    },
  }
}
