/** Sends a request to a model provider and streams its response. */

import { once } from 'node:events'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'

import { ContextdError } from '../../core/errors/errors.ts'
import type { CreateRewriter, ModelReport, ModelResult, ResponseRewriter } from '../../core/model.ts'
import type { ModelAgents, Route } from './agents.ts'
import { decoderFor } from './body.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import { bareHost, proxyFailure } from './proxy.ts'
import { pathAt, type ModelProvider } from './target.ts'

export interface ModelRequest {
  readonly provider: ModelProvider
  readonly method: string
  /** Path and query below the provider's base URL. */
  readonly path: string
  readonly rawHeaders: readonly string[]
  /** Undefined for a request without a body. */
  readonly body: Buffer | undefined
}

export interface Passing {
  /** The response to our own client. */
  readonly response: ServerResponse
  /** If absent, bytes pass unchanged. */
  readonly rewriter?: CreateRewriter | undefined
  readonly signal: AbortSignal
  /** Counts bytes buffered until they can be passed on; negative to release. An exception from it ends the response. */
  readonly hold: (bytes: number) => void
  /** Receives the current report after each chunk. */
  readonly onReport: (report: ModelReport) => void
}

export interface ModelForwarder {
  /** Resolves at the end of the response. Throws MODEL_UNREACHABLE without a response. */
  forward(request: ModelRequest, passing: Passing): Promise<ModelResult>
  close(): void
}

export function createModelForwarder(agents: ModelAgents): ModelForwarder {
  const open = (request: ModelRequest, { agent }: Route, signal: AbortSignal): ClientRequest => {
    const { provider, method, path, rawHeaders, body } = request
    const { protocol, port, host } = provider.url
    const sent = (protocol === 'https:' ? httpsRequest : httpRequest)({
      agent,
      hostname: bareHost(provider.url),
      ...(port !== '' && { port }),
      method,
      path: pathAt(provider, path),
      headers: requestHeaders(rawHeaders, { host, length: body?.length }),
      signal,
    })
    sent.end(body)
    return sent
  }

  const answerTo = async (
    request: ModelRequest,
    signal: AbortSignal,
    isAgain = false,
  ): Promise<IncomingMessage> => {
    const route = await agents.routeTo(request.provider)
    const sent = open(request, route, signal)
    // Errors after the response headers reach the reader of its body.
    sent.on('error', () => {})
    // No request asks for another protocol. Without this there would be neither a response nor an error.
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy()
      sent.emit('error', new Error('the provider switched to another protocol'))
    })
    try {
      // A request that waits for its tunnel does not react to the signal.
      const [answer] = (await once(sent, 'response', { signal })) as [IncomingMessage]
      return answer
    } catch (error) {
      signal.throwIfAborted()
      // Most likely the provider closed an idle connection just as we used it, and received nothing of the request.
      if (sent.reusedSocket && !isAgain && codeOf(error) === 'ECONNRESET')
        return answerTo(request, signal, true)
      const { name } = request.provider
      // A request gets its socket when the tunnel is open.
      if (route.proxy !== undefined && sent.socket === null)
        throw proxyFailure(name, describeProxyError(route.proxy, error), error)
      const why = codeOf(error) ?? 'the connection failed'
      throw new ContextdError('MODEL_UNREACHABLE', { provider: name, why }, { cause: error })
    }
  }

  return {
    async forward(request, passing) {
      const answer = await answerTo(request, passing.signal)
      return pass(answer, passing, request)
    },
    close: agents.close,
  }
}

function describeProxyError(proxy: string, error: unknown): string {
  // The library has the status only in its message.
  const [, status] = /^Bad response: (\d+)$/.exec((error as Error).message) ?? []
  if (status === undefined) return `the proxy ${proxy} cannot be reached (${codeOf(error) ?? 'no answer'})`
  return status === '407'
    ? `the proxy ${proxy} does not accept the credentials in its address, or requires some (status 407)`
    : `the proxy ${proxy} refuses the connection (status ${status})`
}

function whyNotPassed(status: number, reason = ''): string | undefined {
  // Node can parse such headers, but throws when writing them.
  if (status < 200 || /[^\t -~\x80-\xff]/.test(reason)) return 'its response is not valid HTTP'
  // A client that follows it would send its own request there, unmasked.
  return status >= 300 && status <= 399 && status !== 304 ? 'it redirects to another address' : undefined
}

async function pass(
  answer: IncomingMessage,
  passing: Passing,
  { method, provider: { name: provider } }: ModelRequest,
): Promise<ModelResult> {
  const { response, onReport } = passing
  const { rawHeaders, statusCode: status = 502, statusMessage } = answer
  const why = whyNotPassed(status, statusMessage)
  if (why !== undefined) {
    answer.destroy()
    throw new ContextdError('MODEL_UNREACHABLE', { provider, why })
  }
  const contentType = answer.headers['content-type'] ?? ''
  const rewriter = method === 'HEAD' ? undefined : passing.rewriter?.({ status, contentType })
  const body = rewriter === undefined ? answer : decoded(answer, provider)
  response.sendDate = false
  response.writeHead(status, statusMessage, responseHeaders(rawHeaders, rewriter !== undefined))
  // A model may think for minutes before the first byte.
  response.flushHeaders()
  const result = (): ModelResult => ({ status, ...rewriter?.report() })
  try {
    await passBody(body, rewriter, passing)
    response.end()
    return result()
  } catch (error) {
    if (passing.signal.aborted) throw error
    await endBroken(rewriter, response)
    return { ...result(), broken: true }
  } finally {
    if (rewriter !== undefined) onReport(rewriter.report())
    answer.destroy()
  }
}

async function passBody(
  body: Readable,
  rewriter: ResponseRewriter | undefined,
  { response, signal, hold, onReport }: Passing,
): Promise<void> {
  const write = async (bytes: Buffer): Promise<void> => {
    if (bytes.length > 0 && !response.write(bytes)) await once(response, 'drain', { signal })
  }
  let held = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (rewriter === undefined) {
      await write(chunk)
      continue
    }
    const passed = await rewriter.write(chunk)
    const before = held
    // Restored text may be longer than what was received.
    held = Math.max(0, before + chunk.length - passed.length)
    hold(held - before)
    await write(passed)
    onReport(rewriter.report())
  }
  if (rewriter !== undefined) await write(await rewriter.end())
}

/**
 * Sends what was received so far, then breaks the connection: the client must not take a partial response for a
 * complete one.
 */
async function endBroken(rewriter: ResponseRewriter | undefined, response: ServerResponse): Promise<void> {
  try {
    const rest = await rewriter?.end()
    if (rest !== undefined && rest.length > 0) response.write(rest)
  } catch {
    // The rewriter itself failed.
  }
  response.socket?.destroySoon()
}

/** Some providers compress although we asked them not to. */
function decoded(answer: IncomingMessage, provider: string): Readable {
  const decoder = decoderFor(answer.headers['content-encoding'])
  if (decoder === 'plain') return answer
  if (decoder === undefined) {
    answer.destroy()
    const why = 'its response has an unsupported encoding'
    throw new ContextdError('MODEL_UNREACHABLE', { provider, why })
  }
  answer.on('error', (error) => decoder.destroy(error))
  return answer.pipe(decoder)
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}
