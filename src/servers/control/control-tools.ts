/**
 * Operations that control contextd, as hidden tools of the server `control`, so that they pass through the pipeline.
 */

import type { RuntimeCore } from '../../compose.ts'
import { CONTROL_SERVER, OPERATOR, type Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { answer, type Answer, type Payload } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import type { Trail } from '../../core/trail.ts'
import { agentsOperations } from './operations/agents.ts'
import { auditOperations } from './operations/audit.ts'
import { branchOperations } from './operations/branch.ts'
import { checkpointOperations } from './operations/checkpoint.ts'
import { configOperations } from './operations/config.ts'
import { contextOperations } from './operations/context.ts'
import { indexOperations } from './operations/index.ts'
import { memoryOperations } from './operations/memory.ts'
import { operationName, type Operation } from './operations/operation.ts'
import { policyOperations } from './operations/policy.ts'
import { serverOperations } from './operations/server.ts'
import { serversOperations } from './operations/servers.ts'
import { sessionsOperations } from './operations/sessions.ts'
import type { Rpc } from './rpc.ts'

const operations: readonly Operation[] = [
  ...agentsOperations,
  ...auditOperations,
  ...branchOperations,
  ...checkpointOperations,
  ...configOperations,
  ...contextOperations,
  ...indexOperations,
  ...memoryOperations,
  ...policyOperations,
  ...serverOperations,
  ...serversOperations,
  ...sessionsOperations,
]

/** For `composeRuntime({control: controlTools})`. */
export function controlTools(runtime: RuntimeCore): readonly Tool[] {
  return operations.map((operation) => toTool(operation, runtime))
}

/**
 * The requests of streams as allowed by the rules, which may have changed them. Keyed by the trail, which all copies
 * of a call share.
 */
const allowedRequests = new WeakMap<Trail, JsonObject>()

function requestOf({ trail }: Call): JsonObject {
  const request = allowedRequests.get(trail)
  if (request === undefined) throw new ContextdError('INTERNAL')
  return request
}

function toTool({ rpc, open, run, follow }: Operation, runtime: RuntimeCore): Tool {
  const name = operationName(rpc)
  return {
    definition: { name, description: rpc, inputSchema: { type: 'object' } },
    server: CONTROL_SERVER,
    needs: [],
    ...(open !== undefined && { open }),
    // A truncated response is not a valid message.
    maxTokens: Infinity,
    // The doors have validated the request against its message, which takes more than is loaded here.
    async run(request, host) {
      const { call } = host
      const progress = (event: JsonObject): void => host.log('info', event)
      const response = await run(request, { runtime, call, signal: call.signal, progress })
      if (follow !== undefined) allowedRequests.set(call.trail, request)
      // The operator has no context window to protect.
      return call.principal?.agent === OPERATOR ? { kind: 'payload', value: response } : answer(response)
    },
  }
}

export const operationRpcs: readonly Rpc[] = operations.map(toRpc)

function toRpc({ rpc, long, follow }: Operation): Rpc {
  const tool = operationName(rpc)
  return {
    name: rpc,
    ownEvents: true,
    ...(long !== undefined && { long }),
    ...(follow !== undefined && { follow: (call, host) => follow(requestOf(call), host) }),
    toCall: (request) => ({ method: 'tool', server: CONTROL_SERVER, tool, arguments: request }),
    respond: responseIn,
  }
}

function responseIn(result: Answer | Payload): JsonObject {
  if (result.kind === 'payload') return result.value
  const { data = null, truncated } = isJsonObject(result.structured) ? result.structured : {}
  if (truncated === true || !isJsonObject(data)) {
    const hint = 'Request less at once, or raise `limits.tokens_per_session` in the rules.'
    throw new ContextdError('BUDGET_EXHAUSTED', { scope: 'session', limit: 'the rules', hint })
  }
  return data
}
