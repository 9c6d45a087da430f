import { create, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'

import { ContextdError } from '../../core/errors/errors.ts'
import { ErrorSchema } from './gen/contextd/v1/common_pb.ts'
import { fromConnectError, toConnectError } from './grpc-errors.ts'

test('an error of the catalogue becomes a status with all details', () => {
  const error = toConnectError(
    new ContextdError('DENIED_BY_POLICY', {
      agent: 'a',
      server: 's',
      tool: 't',
      rule: 'agents.a',
      file: undefined,
    }),
  )
  expect([error.code, error.rawMessage]).toEqual([Code.PermissionDenied, 'Agent a may not use s.t'])
  expect(error.details).toEqual([
    {
      desc: ErrorSchema,
      value: {
        code: 'DENIED_BY_POLICY',
        message: 'Agent a may not use s.t',
        rule: 'agents.a',
        hint: expect.any(String),
        details: { agent: 'a', server: 's', tool: 't' },
      },
    },
  ])
})

test('a limit says when to retry, in a header that clients understand', () => {
  const error = toConnectError(new ContextdError('CALLER_LIMITED', { limit: 'x', retry_after_ms: 250 }))
  expect([error.code, error.metadata.get('grpc-retry-pushback-ms')]).toEqual([Code.ResourceExhausted, '250'])
})

test.each([
  new Error('hunter2'),
  'hunter2',
  new ContextdError('INTERNAL', { cause: 'hunter2', hint: 'hunter2' }),
])('internal errors reveal nothing', (inside) => {
  const error = toConnectError(inside)
  expect(error.code).toBe(Code.Internal)
  const said = error.details.map((detail) => ('value' in detail ? detail.value : undefined))
  expect(said).toMatchObject([{ code: 'INTERNAL' }])
  expect(JSON.stringify([error.message, said])).not.toContain('hunter2')
})

test('errors of connect are unchanged', () => {
  const own = new ConnectError('too late', Code.DeadlineExceeded)
  expect(toConnectError(own)).toBe(own)
})

test('an error round-trips', () => {
  const sent = new ContextdError('DENIED_BY_POLICY', { agent: 'a', server: 's', tool: 't', rule: 'agents.a' })
  const { code, metadata, details } = toConnectError(sent)
  const incoming = details.map((detail) => {
    if (!('desc' in detail)) return detail
    return { type: detail.desc.typeName, value: toBinary(detail.desc, create(detail.desc, detail.value)) }
  })
  const arrived = new ConnectError('', code, metadata)
  arrived.details = incoming
  expect(fromConnectError(arrived).toObject()).toEqual(sent.toObject())
})

test('errors of connect are received as the closest error of the catalogue', () => {
  const said = (code: Code): string => fromConnectError(new ConnectError('hunter2', code)).code
  expect([Code.Unauthenticated, Code.DeadlineExceeded, Code.Unimplemented].map(said)).toEqual([
    'CERTIFICATE_REQUIRED',
    'TIMEOUT',
    'INTERNAL',
  ])
})
