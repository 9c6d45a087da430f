/** The model door: passes model requests of clients on this machine through the pipeline to their provider. */

import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Runtime } from '../../compose.ts'
import { CodedError, describeError, type ErrorObject } from '../../core/errors/errors.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../core/result.ts'
import { followConfig } from '../../platform/config/follow-config.ts'
import type { Metrics } from '../metrics/http-metrics.ts'
import { admitModelRequest, type ModelAdmission } from './admit.ts'
import { sendModelError } from './errors.ts'
import { createModelCalls, type ModelCallOptions } from './model-calls.ts'
import { findProvider, readModelTarget, type ModelProvider } from './target.ts'

export interface ModelDoorOptions extends ModelCallOptions, Omit<ModelAdmission, 'modelKeys'> {
  readonly metrics: Pick<Metrics, 'count'>
}

export interface ModelDoor {
  /** Handles a request whose path starts with `/model/`. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends responses for keys that were revoked. */
  sweep(): void
  close(): void
}

export function createModelDoor(runtime: Runtime, options: ModelDoorOptions): ModelDoor {
  const { modelKeys, log } = runtime
  // Read per request: its upstream must not be the one from before `ctxd init` changed it.
  const settings = followConfig(runtime.paths.configFile, runtime.config)
  const calls = createModelCalls(runtime, options)
  /** Responses in progress, with their keys. */
  const running = new Map<ServerResponse, string>()

  return {
    async handle(request, response) {
      const gone = new AbortController()
      response.once('close', () => {
        running.delete(response)
        gone.abort()
      })
      const target = readModelTarget(request.url ?? '')
      const provider = target && findProvider(settings().model, target.provider)
      const refuse = (error: ErrorObject): void => {
        if (gone.signal.aborted) return
        // A partial response must not look like a complete one.
        if (response.headersSent) response.destroy()
        else sendModelError(response, error, provider?.api)
      }
      try {
        const admitted = admitModelRequest(request, { target, provider }, { ...options, modelKeys })
        running.set(response, admitted.target.key)
        const result = await calls.perform({ request, response, signal: gone.signal }, admitted)
        countTokens(options.metrics, admitted.provider, result)
        const error = errorIn(result)
        if (error !== undefined && !response.writableEnded) refuse(error)
      } catch (error) {
        if (error instanceof CodedError) return refuse(error.toObject())
        log('error', 'a request to a model failed', { cause: String(error) })
        refuse(describeError('INTERNAL'))
      }
    },
    sweep() {
      for (const [response, key] of running) if (!modelKeys.isLive(key)) response.destroy()
    },
    close: calls.close,
  }
}

function countTokens(metrics: Pick<Metrics, 'count'>, provider: ModelProvider, result: Result): void {
  const usage = result.kind === 'payload' && isJsonObject(result.value.usage) ? result.value.usage : {}
  for (const [name, tokens] of Object.entries(usage)) {
    const kind = name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)
    metrics.count('contextd_model_tokens_total', { provider: provider.name, kind }, Number(tokens))
  }
}

/** Why the pipeline did not send the request, or aborted it. */
function errorIn(result: Result): ErrorObject | undefined {
  if (result.kind === 'payload') return undefined
  if (result.kind === 'refusal') return result.error
  const structured = result.kind === 'answer' ? result.structured : undefined
  const error = isJsonObject(structured) ? structured.error : undefined
  return isJsonObject(error) ? (error as ErrorObject) : describeError('INTERNAL')
}
