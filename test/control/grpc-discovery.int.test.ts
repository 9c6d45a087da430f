import { once } from 'node:events'

import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { services } from '../../src/servers/control/messages.ts'
import { grpcDoor, type GrpcDoor } from './grpc-door.ts'
import { foreignClient, loadOptions, protoLoader, type ForeignClient, type Reply } from './grpc-foreign.ts'

let door: GrpcDoor
let client: ForeignClient

beforeAll(async () => {
  door = await grpcDoor()
  client = foreignClient(`unix:${door.socket}`)
})
afterAll(async () => {
  client.close()
  await door.close()
})

const serving = 1
const unknownService = 3

test('health is reported for the whole server and each service', async () => {
  for (const service of ['', 'contextd.v1.Audit', 'grpc.health.v1.Health']) {
    expect(await client.unary('grpc.health.v1.Health/Check', { service })).toMatchObject({ status: serving })
  }
  const checked = client.unary('grpc.health.v1.Health/Check', { service: 'contextd.v1.Nothing' })
  await expect(checked).rejects.toMatchObject({ code: status.NOT_FOUND })
})

test('health is watched until the caller disconnects', async () => {
  for (const [service, expected] of [
    ['contextd.v1.Tools', serving],
    ['contextd.v1.Nothing', unknownService],
  ] as const) {
    const call = client.stream('grpc.health.v1.Health/Watch', { service })
    expect((await once(call, 'data'))[0]).toMatchObject({ status: expected })
    const ended = once(call, 'error')
    call.cancel()
    expect((await ended)[0]).toMatchObject({ code: status.CANCELLED })
  }
})

async function reflected(...requests: readonly object[]): Promise<Reply[]> {
  const call = client.bidi('grpc.reflection.v1.ServerReflection/ServerReflectionInfo')
  const answers: Reply[] = []
  for (const request of requests) call.write(request)
  call.end()
  for await (const answer of call) answers.push(answer as Reply)
  return answers
}

test('reflection lists the services', async () => {
  const [answer] = await reflected({ list_services: '' })
  const listed = (answer as { list_services_response: { service: { name: string }[] } })
    .list_services_response
  expect(listed.service.map(({ name }) => name)).toEqual([
    ...services.map(({ typeName }) => typeName),
    'grpc.health.v1.Health',
    'grpc.reflection.v1.ServerReflection',
  ])
})

test('a client without proto files makes calls with the definitions from reflection', async () => {
  const files = new Map<string, Buffer>()
  for (const request of [
    { file_by_filename: 'contextd/v1/policy.proto' },
    { file_containing_symbol: 'contextd.v1.Audit.Query' },
    { file_containing_symbol: 'contextd.v1.AuditRecord.seq' },
    { file_containing_symbol: 'grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING' },
  ]) {
    const [answer] = await reflected(request)
    expect(answer).toMatchObject({ message_response: 'file_descriptor_response', original_request: request })
    const { file_descriptor_proto: found } = answer!.file_descriptor_response as {
      file_descriptor_proto: Buffer[]
    }
    for (const bytes of found) files.set(nameOf(bytes), bytes)
  }
  const set = Buffer.concat(
    [...files.values()].map((bytes) => Buffer.concat([Buffer.of(0x0a), varint(bytes.length), bytes])),
  )
  const definitions = protoLoader.loadFileDescriptorSetFromBuffer(set, loadOptions)
  const stranger = foreignClient(`unix:${door.socket}`, undefined, definitions)
  try {
    const { seq } = (await stranger.unary('Audit/Query', { limit: 1 })) as { seq?: number }
    expect(seq).toBeUndefined()
    expect(await stranger.unary('Policy/List')).toMatchObject({ agents: ['main', 'default'] })
  } finally {
    stranger.close()
  }
})

test('reflection reports unknown names', async () => {
  const unknown = [
    { file_by_filename: 'contextd/v1/secrets.proto' },
    { file_containing_symbol: 'contextd.v1.Secrets' },
    { all_extension_numbers_of_type: 'contextd.v1.Secrets' },
    { file_containing_extension: { containing_type: 'contextd.v1.AuditRecord', extension_number: 100 } },
  ]
  const answers = await reflected(
    ...unknown,
    { host: 'x' },
    { all_extension_numbers_of_type: 'contextd.v1.AuditRecord' },
  )
  const failures = answers.map(
    ({ error_response: error }) => (error as { error_code?: number } | undefined)?.error_code,
  )
  expect(failures).toEqual([...unknown.map(() => status.NOT_FOUND), status.INVALID_ARGUMENT, undefined])
  expect(answers.at(-1)).toMatchObject({
    all_extension_numbers_response: { base_type_name: 'contextd.v1.AuditRecord' },
  })
})

/** The first field of a FileDescriptorProto is its name. */
function nameOf(bytes: Buffer): string {
  return bytes.subarray(2, 2 + bytes[1]!).toString()
}

function varint(value: number): Buffer {
  return value < 128 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 127) | 128), varint(value >> 7)])
}
