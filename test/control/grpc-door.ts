import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import * as grpc from '@grpc/grpc-js'
import { expect } from 'vitest'

import { composeRuntime, type ComposeOptions, type Runtime } from '../../src/compose.ts'
import { LOCAL_TENANT } from '../../src/core/call.ts'
import { resolvePaths } from '../../src/platform/paths.ts'
import { day, type Caller } from '../../src/platform/tls/authority.ts'
import { certifyCaller, setUpTls, type TlsPlace } from '../../src/platform/tls/changes.ts'
import { serialOf } from '../../src/platform/tls/certificate.ts'
import { openTls } from '../../src/platform/tls/open-tls.ts'
import { issuedCertificates } from '../../src/platform/tls/issued.ts'
import { keyPem, pem } from '../../src/platform/tls/tls-folder.ts'
import { controlTools } from '../../src/servers/control/control-tools.ts'
import { serveControl, type ControlServer } from '../../src/servers/control/grpc-server.ts'
import { createWorkspaces } from '../../src/servers/workspaces.ts'

/** What a caller shows, as clients take it. */
export interface Shown {
  readonly ca: string
  readonly cert: string
  readonly key: string
  readonly serial: string
}

export interface GrpcDoor extends ControlServer {
  readonly runtime: Runtime
  readonly home: string
  /** A certificate of our authority. */
  issue(caller: Caller): Shown
  revoke(serial: string): void
  readonly log: readonly string[]
}

export interface GrpcDoorOptions extends Pick<ComposeOptions, 'tools'> {
  /** Lines of the section `[control]`. */
  readonly control?: string
  readonly rules?: object
  /** Serve TCP too, with certificates of its own. */
  readonly tls?: boolean
}

/** contextd put together for real, and served over gRPC, in a folder that goes when it is closed. */
export async function grpcDoor({
  control = '',
  rules,
  tls,
  ...parts
}: GrpcDoorOptions = {}): Promise<GrpcDoor> {
  const home = mkdtempSync(join(tmpdir(), 'contextd-grpc-'))
  const env = { CONTEXTD_HOME: home }
  const { configFile, rulesFile, ...paths } = resolvePaths(env)
  mkdirSync(dirname(configFile))
  writeFileSync(configFile, `[control]\nport = 0\n${control}`)
  if (rules !== undefined) writeFileSync(rulesFile, JSON.stringify(rules))
  const log: string[] = []
  const composed = {
    env,
    log: (...line: unknown[]) => void log.push(JSON.stringify(line)),
    control: controlTools,
  }
  const runtime = await composeRuntime({ ...composed, cwd: home, ...parts })
  const open = (cwd: string): Promise<Runtime> => composeRuntime({ ...composed, cwd })
  const workspaces = createWorkspaces({ own: runtime, open })
  const place: TlsPlace = { folder: paths.tls, store: runtime.store, tenant: LOCAL_TENANT, clock: Date.now }
  if (tls === true) setUpTls(place, ['localhost', '127.0.0.1'])
  const onEvent = (name: string, details: Parameters<Runtime['audit']['event']>[1]): void =>
    void runtime.audit.event(name, details)
  const served = await serveControl({
    runtime,
    workspaces,
    tls: openTls({ ...place, onEvent }),
    graceMs: 200,
  })
  return {
    ...served,
    runtime,
    home,
    log,
    issue(caller) {
      const { certificate, key, authority } = certifyCaller(place, caller, day)
      const serial = serialOf(certificate)
      return { ca: pem(authority.certificate), cert: pem(certificate), key: keyPem(key), serial }
    },
    revoke: (serial) => void issuedCertificates(runtime.store, LOCAL_TENANT, Date.now).revoke(serial),
    async close() {
      await served.close()
      await workspaces.close()
      await runtime.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

export const protoFolder = fileURLToPath(new URL('../../proto', import.meta.url))

type Definitions = Parameters<typeof grpc.loadPackageDefinition>[0]

/** What grpc-js brings along to read proto files: no code of ours, and another implementation of protobuf. */
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

/** A message of the proto files, as the reference implementation reads and writes it. */
export function codecOf(name: string): Codec {
  return (loaded[name] ?? statuses[name]) as object as Codec
}

/** The error object beside a status, as a foreign program finds it. */
export function errorObject(error: unknown): Reply {
  const [bytes] = (error as grpc.ServiceError).metadata.get('grpc-status-details-bin')
  const { details } = codecOf('google.rpc.Status').deserialize(bytes as Buffer) as { details: Any[] }
  expect(details.map(({ type_url }) => type_url)).toEqual(['type.googleapis.com/contextd.v1.Error'])
  const { details: more, ...known } = codecOf('contextd.v1.Error').deserialize(details[0]!.value)
  const named = Object.entries(known).filter(([name]) => !name.startsWith('_'))
  return { ...Object.fromEntries(named), ...(more !== undefined && { details: fromStruct(more) }) }
}

interface Any {
  readonly type_url: string
  readonly value: Buffer
}

/** `{city: "Oslo"}` as google.protobuf.Struct is for clients that know nothing special of it. */
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
  const { kind, ...held } = value as Record<string, unknown>
  const [one] = Object.values(held)
  if (kind === 'nullValue') return null
  if (kind === 'structValue') return fromStruct(one)
  if (kind === 'listValue') return ((one as { values?: unknown[] }).values ?? []).map(fromValue)
  return one
}

/** One way of calling, as any client of the reference implementation does. */
export interface ForeignClient {
  /** Such as `contextd.v1.Audit/Query`; the package may be left out. */
  unary(rpc: string, request?: object, more?: CallOptions): Promise<Reply>
  stream(rpc: string, request?: object, more?: CallOptions): grpc.ClientReadableStream<Reply>
  /** A call of any path, with an empty message. */
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

/** `unix:/…/control.sock`, or `localhost:7392` with what is shown there. */
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
  // A connection of its own for each client: grpc-js shares them otherwise.
  const client = new grpc.Client(address, credentials, { 'grpc.use_local_subchannel_pool': 1 })
  const methodOf = (rpc: string): grpc.MethodDefinition<object, Reply> => {
    const [service = '', name = ''] = rpc.split('/')
    const full = service.includes('.') ? service : `contextd.v1.${service}`
    const found = (definitions[full] as grpc.ServiceDefinition | undefined)?.[name]
    if (found === undefined) throw new Error(`no ${rpc}`)
    return found as grpc.MethodDefinition<object, Reply>
  }
  const prepared = ({ metadata = {}, deadlineMs }: CallOptions): [grpc.Metadata, grpc.CallOptions] => {
    const said = new grpc.Metadata()
    for (const [name, value] of Object.entries(metadata)) said.set(name, value)
    return [said, deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs }]
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
          ...prepared(more),
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
        ...prepared(more),
      )
    },
    bidi(rpc) {
      const { path, requestSerialize, responseDeserialize } = methodOf(rpc)
      return client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
    },
    close: () => client.close(),
  }
}
