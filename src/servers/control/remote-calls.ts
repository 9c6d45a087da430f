/** Calls to another machine: Connect with JSON. Loaded while the connection opens. */

import type { ClientHttp2Session } from 'node:http2'

import { create, createFileRegistry, fromJson, toJson, type DescMethod } from '@bufbuild/protobuf'
import { file_google_protobuf_struct, FileDescriptorProtoSchema, StructSchema } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import { createConnectTransport, type ConnectTransportOptions } from '@connectrpc/connect-node'

import { ContextdError, missingThing } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { VERSION } from '@contextd/shared/version'
import { fromConnectError } from './grpc-errors.ts'
import type { RemoteApi, RemoteOptions } from './remote.ts'

export function callsOver(session: ClientHttp2Session, baseUrl: string): Omit<RemoteApi, 'close'> {
  const transport = createConnectTransport({
    httpVersion: '2',
    baseUrl,
    sessionManager: managerOf(session, baseUrl),
    useBinaryFormat: false,
    jsonOptions: { recursionLimit: MAX_DEPTH },
    acceptCompression: [],
  })

  const ask = async <T>(
    rpc: string,
    { signal, timeoutMs, agent, session: named }: RemoteOptions,
    work: (signal: AbortSignal, headers: Record<string, string>) => Promise<T>,
  ): Promise<T> => {
    if (session.destroyed || session.closed) throw lost(rpc, 'not sent')
    // Headers cannot carry other characters, and agent ids do not contain them.
    if (agent !== undefined && !/^[\x21-\x7E]+$/.test(agent)) throw new ContextdError('INVALID_AGENT_ID')
    const done = new AbortController()
    try {
      return await work(AbortSignal.any([done.signal, ...(signal === undefined ? [] : [signal])]), {
        'user-agent': `contextd/${VERSION}`,
        ...(agent !== undefined && { 'contextd-agent': agent }),
        ...(named !== undefined && { 'contextd-session': named }),
      })
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error
      if (signal?.aborted === true) throw new ContextdError('CANCELLED')
      if (wasAnswered(error)) throw fromConnectError(error)
      if (error.code === Code.DeadlineExceeded) throw new ContextdError('TIMEOUT', { limit_ms: timeoutMs })
      throw lost(rpc)
    } finally {
      // A stream that is not read to its end would keep the connection open.
      done.abort()
    }
  }

  return {
    call: (rpc, request, options = {}) =>
      ask(rpc, options, async (signal, headers) => {
        const input = fromJson(StructSchema, request)
        const { timeoutMs } = options
        const reply = await transport.unary(methodOf(rpc, 'unary'), signal, timeoutMs, headers, input)
        return toJson(StructSchema, reply.message)
      }),
    stream: (rpc, request, onEvent, options = {}) =>
      ask(rpc, options, async (signal, headers) => {
        const inputs = once(fromJson(StructSchema, request))
        const method = methodOf(rpc, 'server_streaming')
        const { timeoutMs } = options
        const reply = await transport.stream(method, signal, timeoutMs, headers, inputs)
        let result: JsonObject = {}
        for await (const message of reply.message) {
          const event = toJson(StructSchema, message)
          if (isJsonObject(event.result)) result = event.result
          else onEvent(event)
        }
        return result
      }),
  }
}

/** Maximum nesting of an answer, more than the server permits. */
const MAX_DEPTH = 1000

/** A lost connection is not reopened, because it is unknown whether its call was carried out. */
function managerOf(
  session: ClientHttp2Session,
  baseUrl: string,
): NonNullable<Extract<ConnectTransportOptions, { httpVersion: '2' }>['sessionManager']> {
  return {
    authority: new URL(baseUrl).origin,
    async request(method, path, headers, options) {
      const stream = session.request({ ...headers, ':method': method, ':path': path }, options)
      let hasResponse = false
      stream.once('response', () => (hasResponse = true))
      stream.once('close', () => {
        // Closed without an error or a response, which would otherwise go unnoticed.
        if (!hasResponse) stream.emit('error', new ConnectError('no response', Code.Unavailable))
      })
      return stream
    },
    notifyResponseByteRead() {},
  }
}

/**
 * A method whose messages may be any JSON object, so that the response is passed on as the server's version wrote
 * it.
 */
function methodOf<Kind extends 'unary' | 'server_streaming'>(
  rpc: string,
  methodKind: Kind,
): DescMethod & { methodKind: Kind; input: typeof StructSchema; output: typeof StructSchema } {
  const [service = '', name = ''] = rpc.split('/')
  const file = create(FileDescriptorProtoSchema, {
    syntax: 'proto3',
    package: 'contextd.v1',
    dependency: [file_google_protobuf_struct.proto.name],
    service: [{ name: service, method: [{ name, inputType: anyJson, outputType: anyJson }] }],
  })
  const described = createFileRegistry(file, () => file_google_protobuf_struct)
  const [method] = described.getService(`contextd.v1.${service}`)?.methods ?? []
  if (method === undefined) throw new ContextdError('NOT_FOUND', missingThing('API call', rpc))
  return { ...method, methodKind, input: StructSchema, output: StructSchema }
}

const anyJson = `.${StructSchema.typeName}`

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}

/** Only an error with response headers came from the server. */
function wasAnswered({ metadata }: ConnectError): boolean {
  return [...metadata.keys()].length > 0
}

/** A refused certificate looks the same as a daemon that ended: the server does not tell the client why. */
const connectionLostHint =
  'The contextd there ended, or no longer accepts this certificate: its operator finds the reason in its log and in `ctxd tls list`. The call may have been carried out, and was not retried.'

function lost(rpc: string, how: 'sent' | 'not sent' = 'sent'): ContextdError {
  return new ContextdError(
    'DAEMON_LOST',
    how === 'sent'
      ? { rpc, hint: connectionLostHint }
      : { rpc, hint: 'It was not sent. Run the command again.' },
  )
}
