/** The model door: passes model requests of clients on this machine through the pipeline to their provider. */

import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

import type { Runtime } from '../../compose.ts'
import { bytesOfByteText } from '@contextd/shared/text/byte-text'
import { LOCAL_TENANT } from '../../core/call.ts'
import { CodedError, ContextdError, describeError, type ErrorObject } from '../../core/errors/errors.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import { MODEL_SERVER, type ModelExchange, type ModelReport } from '../../core/model.ts'
import type { Result } from '../../core/result.ts'
import { dialects } from '../../model/dialects.ts'
import { followConfig } from '../../platform/config/follow-config.ts'
import { loadOrCreateKey } from '../../platform/secrets/keys.ts'
import { createSessions } from '../../platform/sessions.ts'
import type { DoorLimits } from '../limits/door-limits.ts'
import { createHeldBytes, type HeldMessage } from '../limits/held-bytes.ts'
import { readRequestBody } from '../wire/http-body.ts'
import { checkOrigin, isLoopbackPeer } from '../limits/http-guard.ts'
import type { Metrics } from '../metrics/http-metrics.ts'
import { createModelAgents } from './agents.ts'
import { decodeBody, bodyText, bodyTooLarge } from './body.ts'
import { sendModelError } from './errors.ts'
import { createModelForwarder, type Passing } from './forward.ts'
import { credentialsIn } from './headers.ts'
import { createProxyChoice, passwordsIn } from './proxy.ts'
import { modelIn, readCaller, bodyRoot, type ModelCaller } from './request.ts'
import { findProvider, readModelTarget, type ModelProvider, type ModelTarget } from './target.ts'
import { checkSingleHeaders } from '../limits/single-headers.ts'
import type { Workspaces } from '../sessions/workspaces.ts'

export interface ModelDoorOptions {
  readonly limits: DoorLimits
  /** Our host names that a request may be addressed to. */
  readonly allowed: readonly string[]
  /** Counts the connection for this caller. Throws if it has too many. */
  readonly admit: (request: IncomingMessage, caller: string) => void
  /** Runtimes of the clients' folders; if absent, the daemon's own is used for all. */
  readonly workspaces?: Pick<Workspaces, 'use'>
  readonly metrics: Pick<Metrics, 'count'>
}

export interface ModelDoor {
  /** Handles a request whose path starts with `/model/`. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends responses for keys that were revoked. */
  sweep(): void
  close(): void
}

/** A request that passed the checks. */
interface Admitted {
  readonly target: ModelTarget
  readonly provider: ModelProvider
  readonly key: { readonly id: string; readonly client: string }
}

interface ExchangeParts extends Pick<Passing, 'response' | 'hold'> {
  readonly body: Buffer | undefined
  readonly folder: string | undefined
}

export function createModelDoor(runtime: Runtime, options: ModelDoorOptions): ModelDoor {
  const { model: config } = runtime.config
  // Read per request: its upstream must not be the one from before `contextd init` changed it.
  const settings = followConfig(runtime.paths.configFile, runtime.config)
  const maxBytes = config.request_bytes
  const held = createHeldBytes(maxBytes)
  const proxyFor = createProxyChoice(config.proxy, runtime.env)
  const forwarder = createModelForwarder(createModelAgents(proxyFor))
  /** Responses in progress, with their keys. */
  const running = new Map<ServerResponse, string>()

  /** Throws for a caller that may not use the door, and for a URL without a known provider. */
  const admit = (
    request: IncomingMessage,
    target: ModelTarget | undefined,
    provider: ModelProvider | undefined,
  ): Admitted => {
    if (!isLoopbackPeer(request.socket.remoteAddress)) throw new ContextdError('MODEL_NOT_LOCAL')
    const wrong = checkSingleHeaders(request.rawHeaders)
    if (wrong !== undefined) throw wrong
    if (checkOrigin(request.headers, options.allowed) !== undefined)
      throw new ContextdError('FORBIDDEN_ORIGIN')
    if (target === undefined) throw unreadablePath()
    const key = runtime.modelKeys.verify(target.key)
    if (key === undefined) throw new ContextdError('MODEL_KEY_INVALID')
    options.admit(request, `model:${key.id}`)
    if (provider === undefined) throw new ContextdError('MODEL_PROVIDER_UNKNOWN')
    return { target, provider, key }
  }

  const readWhole = async (request: IncomingMessage, message: HeldMessage): Promise<Buffer | undefined> => {
    const {
      'content-length': length,
      'transfer-encoding': transfer,
      'content-encoding': encoding,
    } = request.headers
    if (transfer === undefined && (length === undefined || length === '0')) return undefined
    if (transfer !== undefined && transfer.toLowerCase() !== 'chunked')
      throw new ContextdError('MODEL_ENCODING_UNKNOWN')
    try {
      const body = await readRequestBody(request, { ...options.limits, maxBytes, keep: message.add })
      return await decodeBody(body, encoding, { maxBytes, keep: message.add })
    } catch (error) {
      throw error instanceof CodedError && error.code === 'MESSAGE_TOO_LARGE' ? bodyTooLarge(maxBytes) : error
    }
  }

  /** The session, its project, and the client's folder, as far as known. */
  const joinSession = (
    { key }: Admitted,
    { clientSession = `model-key:${key.id}`, folder = '' }: ModelCaller,
  ) => {
    const works = realFolder(folder)
    const owner = { tenant: LOCAL_TENANT, project: works ?? '' }
    const sessions = createSessions(runtime.store, owner, Date.now, randomUUID)
    const session = sessions.join({ name: key.client, version: '', door: 'http' }, clientSession)
    const project = realFolder(sessions.projectOf(session))
    return { session, project, folder: works ?? project }
  }

  const exchangeFor = (
    request: IncomingMessage,
    { target, provider }: Admitted,
    { body, folder, ...passing }: ExchangeParts,
  ): ModelExchange => {
    const { api, name } = provider
    const method = request.method ?? 'GET'
    const path = target.path + target.query
    const endpoint = dialects[api].endpointOf(method, path)
    const text = body === undefined ? '' : bodyText(body, endpoint !== undefined)
    const root = bodyRoot(text)
    const model = endpoint?.model ?? modelIn(text, root)
    let reported: ModelReport = {}
    return {
      api,
      provider: name,
      method,
      path,
      body: text,
      ...(root !== undefined && { root }),
      ...(model !== undefined && { model }),
      isCharged: method !== 'GET' && endpoint?.kind !== 'count',
      ...(folder !== undefined && { folder }),
      send: (masked, signal) =>
        forwarder.forward(
          {
            provider,
            method,
            path,
            rawHeaders: request.rawHeaders,
            // The original bytes if nothing changed.
            body: masked.body === text ? body : bytesOfByteText(masked.body),
          },
          { ...passing, rewriter: masked.rewriter, signal, onReport: (report) => (reported = report) },
        ),
      report: () => reported,
    }
  }

  const perform = async (
    request: IncomingMessage,
    response: ServerResponse,
    admitted: Admitted,
    signal: AbortSignal,
  ): Promise<Result> => {
    const message = held.open(admitted.key.id)
    response.once('close', message.close)
    const body = await readWhole(request, message)
    const caller = readCaller(request.headers, {
      key: () => loadOrCreateKey(join(runtime.paths.keys, 'attestation.key')),
      now: Date.now(),
      client: admitted.key.client,
      agentOf: runtime.agentInstances.agentOf,
    })
    const { session, project, folder } = joinSession(admitted, caller)
    const exchange = exchangeFor(request, admitted, { response, body, folder, hold: message.add })
    const use = options.workspaces?.use ?? ((_folder, work) => work(runtime))
    const proxy = proxyFor(admitted.provider.url)
    return use(project, (there) => {
      // Tools that print the environment may print the proxy's credentials.
      const passwords = proxy === undefined ? [] : passwordsIn(proxy)
      for (const one of [...credentialsIn(request.rawHeaders, admitted.target.query), ...passwords])
        there.know(one)
      return there.handle(
        there.newCall({
          method: 'model',
          server: MODEL_SERVER,
          tool: exchange.provider,
          session,
          client: { name: admitted.key.client, version: '', door: 'http' },
          claims: caller.claims,
          arguments: {
            provider: exchange.provider,
            method: exchange.method,
            path: admitted.target.path,
            ...(exchange.model !== undefined && { model: exchange.model }),
          },
          exchange,
          signal,
          deadline: Date.now() + config.timeout_ms,
        }),
      )
    })
  }

  const countTokens = ({ provider }: Admitted, result: Result): void => {
    const usage = result.kind === 'payload' && isJsonObject(result.value.usage) ? result.value.usage : {}
    for (const [name, tokens] of Object.entries(usage)) {
      const kind = name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)
      options.metrics.count('contextd_model_tokens_total', { provider: provider.name, kind }, Number(tokens))
    }
  }

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
        const admitted = admit(request, target, provider)
        running.set(response, admitted.target.key)
        const result = await perform(request, response, admitted, gone.signal)
        countTokens(admitted, result)
        const error = errorIn(result)
        if (error !== undefined && !response.writableEnded) refuse(error)
      } catch (error) {
        if (error instanceof CodedError) return refuse(error.toObject())
        runtime.log('error', 'a request to a model failed', { cause: String(error) })
        refuse(describeError('INTERNAL'))
      }
    },
    sweep() {
      for (const [response, key] of running) if (!runtime.modelKeys.isLive(key)) response.destroy()
    },
    close: forwarder.close,
  }
}

function unreadablePath(): ContextdError {
  const hint = 'Use /model/<key>/<provider>/<path>, without empty parts, `..` or encoded separators.'
  return new ContextdError('INVALID_REQUEST', { what: 'the path cannot be forwarded unchanged', hint })
}

/** By its real path, as hooks know it. A folder that was removed has no rules any more. */
function realFolder(folder: string): string | undefined {
  try {
    return folder === '' ? undefined : realpathSync(folder)
  } catch {
    return undefined
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
