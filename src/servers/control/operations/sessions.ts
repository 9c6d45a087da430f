/** Sessions of callers: their tokens, refs and budgets exist until the session ends. */

import { OPERATOR } from '../../../core/call.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { callerSessionsOf, type CallerSession } from '../../sessions/caller-sessions.ts'
import { ownerOf } from '../../sessions/callers.ts'
import type { Operation } from './operation.ts'

export const sessionsOperations: readonly Operation[] = [
  {
    rpc: 'Sessions/Start',
    open: true,
    run: async (_, { runtime, call }) => ({
      session: callerSessionsOf(runtime).start(call.claims, call.client),
    }),
  },
  {
    rpc: 'Sessions/End',
    open: true,
    async run({ session }, { runtime, call }) {
      const sessions = callerSessionsOf(runtime)
      const isEnded = typeof session === 'string' && (await sessions.end(call.claims, session))
      if (!isEnded) throw new ContextdError('SESSION_NOT_FOUND')
      return { session, ended: true }
    },
  },
  {
    rpc: 'Sessions/List',
    async run(_, { runtime, call }) {
      const owner = call.principal?.agent === OPERATOR ? undefined : ownerOf(call.claims)
      return { sessions: callerSessionsOf(runtime).list(owner).map(toJson) }
    },
  },
]

function toJson({ id, startedAt, usedAt, isRolling }: CallerSession): JsonObject {
  return {
    session: id,
    started_at: new Date(startedAt).toISOString(),
    used_at: new Date(usedAt).toISOString(),
    rolling: isRolling,
  }
}
