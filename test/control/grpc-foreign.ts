/** A client with the reference implementation of gRPC for Node, with definitions it derives from the proto files. */

import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import * as grpc from '@grpc/grpc-js'

import type { Shown } from './grpc-door.ts'

const protoFolder = fileURLToPath(new URL('../../proto', import.meta.url))

type Definitions = Parameters<typeof grpc.loadPackageDefinition>[0]

/** The proto file parser of grpc-js: not our code, and another implementation of protobuf. */
interface ProtoLoader {
  loadSync(files: readonly string[], options: object): Definitions
  loadFileDescriptorSetFromBuffer(bytes: Buffer, options: object): Definitions
}
const fromGrpc = createRequire(createRequire(import.meta.url).resolve('@grpc/grpc-js'))
export const protoLoader = fromGrpc('@grpc/proto-loader') as ProtoLoader
export const loadOptions = { keepCase: true, includeDirs: [protoFolder], defaults: false, oneofs: true }

const files = readdirSync(protoFolder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.proto'))
const loaded = protoLoader.loadSync(files, loadOptions)

export type Reply = Record<string, unknown>

interface Codec {
  serialize(value: object): Buffer
  deserialize(bytes: Buffer): Reply
}
const statuses = protoLoader.loadSync(
  [fileURLToPath(new URL('grpc-status.proto', import.meta.url))],
  loadOptions,
)

/** Serializes and parses a message with the reference implementation. */
export function codecOf(name: string): Codec {
  return (loaded[name] ?? statuses[name]) as object as Codec
}

/** The error object in the details of a status, as another program reads it. */
export function errorObject(error: unknown): Reply {
  const [bytes] = (error as grpc.ServiceError).metadata.get('grpc-status-details-bin')
  const { details } = codecOf('google.rpc.Status').deserialize(bytes as Buffer) as { details: Any[] }
  const own = details.find(({ type_url }) => type_url === 'type.googleapis.com/contextd.v1.Error')
  const { details: more, ...known } = codecOf('contextd.v1.Error').deserialize(own!.value)
  const named = Object.entries(known).filter(([name]) => !name.startsWith('_'))
  return { ...Object.fromEntries(named), ...(more !== undefined && { details: fromStruct(more) }) }
}

interface Any {
  readonly type_url: string
  readonly value: Buffer
}

/** `{city: "Oslo"}` as google.protobuf.Struct for clients without special support for it. */
export function toStruct(value: Readonly<Record<string, unknown>>): object {
  return { fields: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toValue(one)])) }
}

function toValue(value: unknown): object {
  if (value === null) return { nullValue: 0 }
  if (Array.isArray(value)) return { listValue: { values: value.map(toValue) } }
  if (typeof value === 'object') return { structValue: toStruct(value as Record<string, unknown>) }
  return { [`${typeof value === 'boolean' ? 'bool' : typeof value}Value`]: value }
}

export function fromStruct(struct: unknown): Record<string, unknown> {
  const { fields = {} } = struct as { fields?: Record<string, unknown> }
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, fromValue(one)]))
}

export function fromValue(value: unknown): unknown {
  const { kind, ...fields } = value as Record<string, unknown>
  const [one] = Object.values(fields)
  if (kind === 'nullValue') return null
  if (kind === 'structValue') return fromStruct(one)
  if (kind === 'listValue') return ((one as { values?: unknown[] }).values ?? []).map(fromValue)
  return one
}

/** Calls like any client of the reference implementation. */
export interface ForeignClient {
  /** Such as `contextd.v1.Audit/Query`; the package is optional. */
  unary(rpc: string, request?: object, more?: CallOptions): Promise<Reply>
  stream(rpc: string, request?: object, more?: CallOptions): grpc.ClientReadableStream<Reply>
  /** Calls any path with an empty message. */
  raw(path: string): Promise<Buffer>
  bidi(rpc: string): grpc.ClientDuplexStream<object, Reply>
  close(): void
}

export interface CallOptions {
  readonly metadata?: Record<string, string>
  readonly deadlineMs?: number
  /** The bytes to send instead of the request. */
  readonly raw?: Buffer
}

/** `unix:/…/control.sock`, or `localhost:7392` with credentials. */
export function foreignClient(
  address: string,
  shown?: Pick<Shown, 'ca'> & Partial<Shown>,
  definitions: Definitions = loaded,
): ForeignClient {
  const pem = (text: string | undefined): Buffer | null => (text === undefined ? null : Buffer.from(text))
  const credentials =
    shown === undefined
      ? grpc.credentials.createInsecure()
      : grpc.credentials.createSsl(pem(shown.ca), pem(shown.key), pem(shown.cert))
  // A separate connection per client: grpc-js shares them otherwise.
  const client = new grpc.Client(address, credentials, { 'grpc.use_local_subchannel_pool': 1 })
  const methodOf = (rpc: string): grpc.MethodDefinition<object, Reply> => {
    const [service = '', name = ''] = rpc.split('/')
    const full = service.includes('.') ? service : `contextd.v1.${service}`
    const found = (definitions[full] as grpc.ServiceDefinition | undefined)?.[name]
    if (found === undefined) throw new Error(`no ${rpc}`)
    return found as grpc.MethodDefinition<object, Reply>
  }
  const callArguments = ({ metadata = {}, deadlineMs }: CallOptions): [grpc.Metadata, grpc.CallOptions] => {
    const sentMetadata = new grpc.Metadata()
    for (const [name, value] of Object.entries(metadata)) sentMetadata.set(name, value)
    return [sentMetadata, deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs }]
  }
  return {
    unary(rpc, request = {}, more = {}) {
      const { path, requestSerialize, responseDeserialize } = methodOf(rpc)
      const serialize = (message: object): Buffer => more.raw ?? requestSerialize(message)
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          path,
          serialize,
          responseDeserialize,
          request,
          ...callArguments(more),
          (error, reply) => (error === null ? resolve(reply!) : reject(error)),
        )
      })
    },
    raw(path) {
      const asIs = (bytes: Buffer): Buffer => bytes
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), (error, reply) =>
          error === null ? resolve(reply!) : reject(error),
        )
      })
    },
    stream(rpc, request = {}, more = {}) {
      const { path, requestSerialize, responseDeserialize } = methodOf(rpc)
      return client.makeServerStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        ...callArguments(more),
      )
    },
    bidi(rpc) {
      const { path, requestSerialize, responseDeserialize } = methodOf(rpc)
      return client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
    },
    close: () => client.close(),
  }
}
