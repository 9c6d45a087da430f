import { askKindOf, type AskKind } from '../../../core/call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { RequestId } from '../../../platform/message-json.ts'
import { ServerError, type Exchange } from '../connection.ts'
import type { RpcPeer } from './peer.ts'
import { rpcErrors } from './protocol.ts'

export interface Questions {
  accept(id: RequestId, method: string, params: JsonObject): void
  /** The server cancelled the question. */
  withdraw(id: Json | undefined): void
}

/** Open questions of one connection. */
const maxOpen = 32

/**
 * Questions of the server during a request. They go to the newest request that supports them, because the server does not
 * say which one they belong to. Without such a request, the server gets an error, not `cancel` or `decline`, which would speak
 * for a user who never saw the question.
 */
export function createQuestions(peer: Pick<RpcPeer, 'answer' | 'refuse' | 'running'>): Questions {
  const open = new Set<RequestId>()

  const refuse = (id: RequestId, code: number, message: string): void => peer.refuse(id, { code, message })
  const findAsk = (kind: AskKind): Exchange['ask'] => {
    let found: Exchange['ask']
    for (const { asks, ask } of peer.running()) if (ask !== undefined && asks.includes(kind)) found = ask
    return found
  }
  const relay = async (
    id: RequestId,
    kind: AskKind,
    params: JsonObject,
    ask: NonNullable<Exchange['ask']>,
  ): Promise<void> => {
    try {
      const result = await ask({ kind, params })
      if (open.delete(id)) peer.answer(id, result)
    } catch (error) {
      if (!open.delete(id)) return
      if (error instanceof ServerError) peer.refuse(id, error)
      else refuse(id, rpcErrors.internal, 'the question was not answered')
    }
  }

  return {
    accept(id, method, params) {
      if (method === 'ping') return peer.answer(id, {})
      const kind = askKindOf(method)
      const ask = kind === undefined ? undefined : findAsk(kind)
      if (kind === undefined || ask === undefined) {
        const why = kind === undefined ? 'Method not found' : 'no client can answer this question now'
        return refuse(id, rpcErrors.methodNotFound, why)
      }
      if (open.has(id)) return refuse(id, rpcErrors.invalidRequest, 'there is an open question with this id')
      if (open.size >= maxOpen) return refuse(id, rpcErrors.internal, 'too many open questions')
      open.add(id)
      void relay(id, kind, params, ask)
    },
    withdraw(id) {
      open.delete(id as RequestId)
    },
  }
}
