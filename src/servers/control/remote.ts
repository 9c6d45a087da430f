/** The API of a contextd on another machine: Connect with JSON over HTTP/2 and mTLS, with nothing but Node. */

import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2'

import { ContextdError, errorCatalogue } from '../../core/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { readClientTls } from '../../platform/tls/client-files.ts'
import { VERSION } from '../../platform/version.ts'
import { readError } from '../hook-socket.ts'

export interface RemotePlace {
  /** `host:7392` */
  readonly address: string
  /** The folder with `cert.pem`, `key.pem` and `ca.pem`, as `ctxd tls issue` writes them. */
  readonly folder: string
}

export interface RemoteApi {
  /** Throws the error that the other side answered with, or DAEMON_UNREACHABLE, DAEMON_LOST, CANCELLED, TIMEOUT. */
  call(rpc: string, request: JsonObject, options?: RemoteOptions): Promise<JsonObject>
  /** Answers the result, which is the last message of a stream that has one, else `{}`. */
  stream(
    rpc: string,
    request: JsonObject,
    onEvent: (event: JsonObject) => void,
    options?: RemoteOptions,
  ): Promise<JsonObject>
  close(): void
}

export interface RemoteOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Sent as `contextd-agent` and `contextd-session`. */
  readonly agent?: string
  readonly session?: string
}

/** From `CONTEXTD_ADDR` and `CONTEXTD_TLS`. */
export function remotePlace(env: NodeJS.ProcessEnv): RemotePlace {
  const { CONTEXTD_ADDR: address = '', CONTEXTD_TLS: folder } = env
  if (!folder) {
    throw new ContextdError('USAGE', {
      problem: 'CONTEXTD_ADDR is set and CONTEXTD_TLS is not',
      hint: 'Set CONTEXTD_TLS to the folder that `ctxd tls issue` wrote, with cert.pem, key.pem and ca.pem.',
    })
  }
  return { address, folder }
}

/** Connects; a certificate that cannot be used is said before anything is sent. */
export async function openRemote(place: RemotePlace): Promise<RemoteApi> {
  const session = await connected(place)
  const post = (rpc: string, type: string, body: Buffer, options: RemoteOptions): Promise<Reply> =>
    ask(session, rpc, type, body, options)
  return {
    async call(rpc, request, options = {}) {
      const reply = await post(rpc, 'application/json', Buffer.from(JSON.stringify(request)), options)
      const body = parsed(await reply.rest())
      if (reply.headers[':status'] !== 200) throw answeredError(body)
      return body
    },
    async stream(rpc, request, onEvent, options = {}) {
      const reply = await post(rpc, 'application/connect+json', envelope(request), options)
      if (reply.headers[':status'] !== 200) throw answeredError(parsed(await reply.rest()))
      return readStream(reply, rpc, onEvent)
    },
    close: () => session.close(),
  }
}

const connectMs = 10_000

function connected({ address, folder }: RemotePlace): Promise<ClientHttp2Session> {
  const unreachable = (why: string, hint?: string): ContextdError =>
    new ContextdError('DAEMON_UNREACHABLE', { address, why, hint })
  return new Promise((resolve, reject) => {
    const isAddress = /^(?:\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(address)
    if (!isAddress || !URL.canParse(`https://${address}`)) {
      return reject(
        unreachable('it is no host:port', 'Set CONTEXTD_ADDR to something like build.example.org:7392.'),
      )
    }
    const session = connect(`https://${address}`, { ...readClientTls(folder), minVersion: 'TLSv1.3' })
    const late = setTimeout(() => session.destroy(new Error('it does not answer')), connectMs)
    session.once('connect', () => {
      clearTimeout(late)
      resolve(session)
    })
    // Kept for as long as the session lives: one that is lost later tells every call on it.
    session.on('error', (error) => {
      clearTimeout(late)
      reject(unreachable(reasonOf(error)))
    })
  })
}

const notOurs = 'its certificate was not issued by the authority in CONTEXTD_TLS'
const wrongTime = "its certificate is not valid by this machine's clock"
const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'there is no such host'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for other host names'],
  ['CERT_HAS_EXPIRED', wrongTime],
  ['CERT_NOT_YET_VALID', wrongTime],
  ['SELF_SIGNED_CERT_IN_CHAIN', notOurs],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', notOurs],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', notOurs],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', notOurs],
])

/** In words of our own where Node's say little. */
function reasonOf({ code = '', message }: Error & { code?: string }): string {
  return reasons.get(code) ?? (message.includes('alert') ? 'it refused our certificate' : message)
}

interface Reply {
  readonly headers: IncomingHttpHeaders & IncomingHttpStatusHeader
  chunks(): AsyncIterable<Buffer>
  rest(): Promise<Buffer>
}

function ask(
  session: ClientHttp2Session,
  rpc: string,
  type: string,
  body: Buffer,
  { signal, timeoutMs, agent, session: named }: RemoteOptions,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    if (session.destroyed || session.closed) return reject(lost(rpc, 'not sent'))
    // No header can carry anything else, and no agent is called that.
    if (agent !== undefined && !/^[\x21-\x7E]+$/.test(agent)) {
      return reject(new ContextdError('INVALID_AGENT_ID'))
    }
    const stream = session.request({
      ':method': 'POST',
      ':path': `/contextd.v1.${rpc}`,
      'content-type': type,
      'connect-protocol-version': '1',
      'user-agent': `contextd/${VERSION}`,
      ...(timeoutMs !== undefined && { 'connect-timeout-ms': String(Math.ceil(timeoutMs)) }),
      ...(agent !== undefined && { 'contextd-agent': agent }),
      ...(named !== undefined && { 'contextd-session': named }),
    })
    let failed: ContextdError | undefined
    const end = (error: ContextdError): void => {
      failed ??= error
      stream.close(constants.NGHTTP2_CANCEL)
      reject(failed)
    }
    const cancel = (): void => end(new ContextdError('CANCELLED'))
    // The server ends it at that time too; this is for one that does not answer at all.
    const late =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => end(new ContextdError('TIMEOUT', { limit_ms: timeoutMs })), timeoutMs + 1000)
    if (signal?.aborted === true) return cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    stream.once('close', () => {
      clearTimeout(late)
      signal?.removeEventListener('abort', cancel)
      reject(failed ?? lost(rpc))
    })
    stream.on('error', () => {})
    stream.once('response', (headers) => resolve(replyOf(stream, headers, () => failed ?? lost(rpc))))
    stream.end(body)
  })
}

function replyOf(
  stream: ClientHttp2Stream,
  headers: IncomingHttpHeaders & IncomingHttpStatusHeader,
  whyCut: () => ContextdError,
): Reply {
  async function* chunks(): AsyncIterable<Buffer> {
    try {
      for await (const chunk of stream) yield chunk as Buffer
    } catch {
      throw whyCut()
    }
    // A connection that breaks ends a stream as quietly as one that is complete.
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.session?.destroyed === true) throw whyCut()
  }
  return {
    headers,
    chunks,
    async rest() {
      const all: Buffer[] = []
      for await (const chunk of chunks()) all.push(chunk)
      return Buffer.concat(all)
    },
  }
}

/** A refused certificate looks from here like a daemon that ended: nothing is told to whoever shows one. */
const endedThere =
  'The contextd there ended, or does not accept this certificate any more: its operator sees why in its log and in `ctxd tls list`. It is not known how far the call came, and it was not tried again.'

function lost(rpc: string, how: 'sent' | 'not sent' = 'sent'): ContextdError {
  return new ContextdError(
    'DAEMON_LOST',
    how === 'sent' ? { rpc, hint: endedThere } : { rpc, hint: 'It was not sent. Run the command again.' },
  )
}

const headBytes = 5
/** Marks the message that ends a stream. */
const endFlag = 2

function envelope(message: JsonObject): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

async function readStream(
  reply: Reply,
  rpc: string,
  onEvent: (event: JsonObject) => void,
): Promise<JsonObject> {
  let pending: Buffer = Buffer.alloc(0)
  let result: JsonObject = {}
  for await (const chunk of reply.chunks()) {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= headBytes && pending.length >= headBytes + pending.readUInt32BE(1)) {
      const end = headBytes + pending.readUInt32BE(1)
      const message = parsed(pending.subarray(headBytes, end))
      const isEnd = ((pending[0] ?? 0) & endFlag) !== 0
      pending = pending.subarray(end)
      if (isEnd) {
        if (message.error !== undefined) throw answeredError(message.error)
        return result
      }
      if (isJsonObject(message.result)) result = message.result
      else onEvent(message)
    }
  }
  throw lost(rpc)
}

/** The error object of ours that came with it; else what Connect says in its own words. */
function answeredError(said: Json | undefined): ContextdError {
  const { code, details } = isJsonObject(said) ? said : {}
  const [first] = Array.isArray(details) ? details.filter(isJsonObject) : []
  if (first?.type === 'contextd.v1.Error' && isJsonObject(first.debug)) {
    const { details: more, ...object } = first.debug
    return readError({ ...(isJsonObject(more) ? more : {}), ...object })
  }
  const status = typeof code === 'string' ? code.toUpperCase() : ''
  return new ContextdError(foreign.find((one) => errorCatalogue[one].grpc === status) ?? 'INTERNAL')
}

/** What can be said before a call comes to the pipeline. */
const foreign = [
  'CERTIFICATE_REQUIRED',
  'CANCELLED',
  'TIMEOUT',
  'CALLER_LIMITED',
  'NOT_FOUND',
  'INVALID_REQUEST',
] as const

function parsed(bytes: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
