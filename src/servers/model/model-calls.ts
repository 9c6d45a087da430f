/** Runs an admitted model request through the pipeline, as one call of the model's server. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

import type { CallRequest, Runtime } from '../../compose.ts'
import { MODEL_SERVER } from '../../core/model.ts'
import type { Result } from '../../core/result.ts'
import { loadOrCreateKey } from '../../platform/secrets/keys.ts'
import type { DoorLimits } from '../limits/door-limits.ts'
import { createHeldBytes } from '../limits/held-bytes.ts'
import type { Workspaces } from '../sessions/workspaces.ts'
import type { AdmittedModelRequest } from './admit.ts'
import { createModelAgents } from './agents.ts'
import { readModelBody } from './body.ts'
import { createModelExchange } from './exchange.ts'
import { createModelForwarder } from './forward.ts'
import { credentialsIn } from './headers.ts'
import { joinModelSession } from './model-session.ts'
import { createProxyChoice, passwordsIn } from './proxy.ts'
import { readCaller, type ModelCaller } from './request.ts'

export interface ModelCallOptions {
  readonly limits: DoorLimits
  /** Runtimes of the clients' folders; if absent, the daemon's own is used for all. */
  readonly workspaces?: Pick<Workspaces, 'use'>
}

export interface ReceivedModelRequest {
  readonly request: IncomingMessage
  /** The response to our own client. */
  readonly response: ServerResponse
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export interface ModelCalls {
  /** The response was sent if the result has a payload. */
  perform(received: ReceivedModelRequest, admitted: AdmittedModelRequest): Promise<Result>
  /** Closes the connections to the providers. */
  close(): void
}

export function createModelCalls(runtime: Runtime, { limits, workspaces }: ModelCallOptions): ModelCalls {
  const { request_bytes: maxBytes, proxy: proxySetting, timeout_ms: timeoutMs } = runtime.config.model
  const held = createHeldBytes(maxBytes)
  const proxyFor = createProxyChoice(proxySetting, runtime.env)
  const forwarder = createModelForwarder(createModelAgents(proxyFor))
  const use = workspaces?.use ?? ((_folder, work) => work(runtime))

  const callerOf = ({ headers }: IncomingMessage, { key }: AdmittedModelRequest): ModelCaller =>
    readCaller(headers, {
      key: () => loadOrCreateKey(join(runtime.paths.keys, 'attestation.key')),
      now: Date.now(),
      client: key.client,
      agentOf: runtime.agentInstances.agentOf,
    })

  /** Tools that print the environment may print the proxy's credentials. */
  const secretsOf = (
    { rawHeaders }: IncomingMessage,
    { provider, target }: AdmittedModelRequest,
  ): string[] => {
    const proxy = proxyFor(provider.url)
    return [...credentialsIn(rawHeaders, target.query), ...(proxy === undefined ? [] : passwordsIn(proxy))]
  }

  return {
    async perform({ request, response, signal }, admitted) {
      const message = held.open(admitted.key.id)
      response.once('close', message.close)
      const body = await readModelBody(request, { maxBytes, keep: message.add, limits })
      const caller = callerOf(request, admitted)
      const { session, project, folder } = joinModelSession(runtime.store, admitted, caller)
      const parts = { request, response, body, folder, hold: message.add }
      const exchange = createModelExchange(admitted, parts, forwarder)
      const asked = callRequest(exchange, admitted, { session, claims: caller.claims, signal })
      return use(project, (there) => {
        for (const one of secretsOf(request, admitted)) there.know(one)
        return there.handle(there.newCall({ ...asked, deadline: Date.now() + timeoutMs }))
      })
    },
    close: forwarder.close,
  }
}

function callRequest(
  exchange: NonNullable<CallRequest['exchange']>,
  { key, target }: AdmittedModelRequest,
  by: Pick<CallRequest, 'session' | 'claims' | 'signal'>,
): CallRequest {
  const { provider, method, model } = exchange
  return {
    method: 'model',
    server: MODEL_SERVER,
    tool: provider,
    client: { name: key.client, version: '', door: 'http' },
    arguments: { provider, method, path: target.path, ...(model !== undefined && { model }) },
    exchange,
    ...by,
  }
}
