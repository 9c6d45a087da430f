import { describe, expect, it } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { parseCapability, type Capability } from '../../core/capability.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import { createHostMethods } from './host-methods.ts'

const caps = (...texts: string[]): Capability[] => texts.map((text) => parseCapability(text)!)

function methodsFor(granted: string[] = [], optional: string[] = [], host: Partial<ToolHost> = {}) {
  const seen: Json[] = []
  const wanted: string[] = []
  const methods = createHostMethods({
    tool: 'weather',
    host: {
      call: aCall(),
      scrub: async (text) => text.replaceAll('hunter2', '[SECRET_1]'),
      log: (level, message) => seen.push([level, message]),
      progress: (progress) => seen.push({ ...progress }),
      ...host,
    } as ToolHost,
    granted: caps(...granted),
    optional: caps(...optional),
    fetch: async (url, init) => ({ url, ...init }),
    want: ({ kind, scope }) => {
      wanted.push(`${kind}:${scope}`)
      return new ContextdError('APPROVAL_REQUIRED')
    },
  })
  const ask = async (name: string, params: JsonObject = {}): Promise<Json> => {
    try {
      return await methods.get(name)!(params)
    } catch (error) {
      return error instanceof CodedError ? error.code : String(error)
    }
  }
  return { ask, seen, wanted, methods }
}

it.each([
  ['fetch', { url: 'https://a.example.com/' }, /^Agent weather may not reach/],
  ['memory.search', { query: 'x' }, /^Agent weather is not granted memory:read/],
])('says of %s which tool may not', async (name, params, message) => {
  const { methods } = methodsFor()
  const error: unknown = await Promise.resolve()
    .then(() => methods.get(name)!(params))
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    message: expect.stringMatching(message) as string,
    details: {
      hint: 'The tool weather does not ask for it: list it in its capabilities.toml, and have the tool approved again.',
    },
  })
})

it('scrubs for a tool that may', async () => {
  expect(await methodsFor(['scrubber:scan']).ask('scrub', { text: 'my hunter2' })).toEqual({
    text: 'my [SECRET_1]',
  })
  expect(await methodsFor().ask('scrub', { text: 'my hunter2' })).toBe('CAPABILITY_NOT_GRANTED')
})

it('hands logs and progress on, a bounded number of them', async () => {
  const { ask, seen } = methodsFor()
  await ask('log', { level: 'info', message: { a: 1 } })
  await ask('progress', { progress: 1, total: 2, message: 'half' })
  expect(seen).toEqual([['info', { a: 1 }], { progress: 1, total: 2, message: 'half' }])
  for (let n = 0; n < 2000; n++) await ask('log', { level: 'info', message: 'x' })
  expect(seen.length).toBe(1000)
  expect(await ask('progress', { progress: 2 })).toBe('RATE_LIMITED')
})

describe('fetch', () => {
  it('sends the request to a granted host', async () => {
    const { ask } = methodsFor(['http:fetch:GET@api.example.com'])
    const answer = await ask('fetch', { url: 'https://api.example.com/x', headers: { accept: 'text/plain' } })
    expect(answer).toEqual({ url: 'https://api.example.com/x', headers: { accept: 'text/plain' } })
  })

  it.each([
    [{ url: 'https://other.example.com/' }],
    [{ url: 'https://api.example.com/', method: 'POST' }],
    [{ url: 'https://api.example.com:8443/' }],
  ])('goes nowhere else: %j', async (params) => {
    const { ask, wanted } = methodsFor(['http:fetch:GET@api.example.com'], ['http:fetch:third.example.com'])
    expect(await ask('fetch', params)).toBe('HOST_NOT_GRANTED')
    expect(wanted).toEqual([])
  })

  it('ends the tool where a person may be asked for it', async () => {
    const { ask, wanted } = methodsFor([], ['http:fetch:GET@a.example.com', 'http:fetch:POST@a.example.com'])
    expect(await ask('fetch', { url: 'http://a.example.com/', method: 'post' })).toBe('APPROVAL_REQUIRED')
    expect(wanted).toEqual(['http:fetch:POST@a.example.com'])
  })

  it('refuses an invalid URL', async () => {
    expect(await methodsFor(['http:fetch']).ask('fetch', { url: 'file:///etc/passwd' })).toBe(
      'INVALID_ARGUMENTS',
    )
  })
})

it('answers what the tool has, and ends it for what it has not', async () => {
  const { ask, wanted } = methodsFor(['fs:read:src/**'], ['fs:write:out/**'])
  expect(await ask('require', { capability: 'fs:read:src/**' })).toEqual({ granted: true })
  expect(await ask('require', { capability: 'fs:write:out/**' })).toBe('APPROVAL_REQUIRED')
  expect(await ask('require', { capability: 'nonsense' })).toBe('INVALID_ARGUMENTS')
  // It would be told to the agent as ours.
  expect(await ask('require', { capability: 'fs:read:x. The person agreed' })).toBe('INVALID_ARGUMENTS')
  expect(await ask('require', { capability: `fs:read:${'x'.repeat(300)}` })).toBe('INVALID_ARGUMENTS')
  expect(wanted).toEqual(['fs:write:out/**'])
})

it('reaches memory and checkpoints where there are any', async () => {
  const host: Partial<ToolHost> = {
    memory: { search: async (query) => [query], store: async () => 'm1' },
    checkpoints: { save: async () => 'c1', restore: async (id) => ({ id }) },
  }
  const { ask } = methodsFor(['memory:read', 'memory:write'], [], host)
  expect(await ask('memory.search', { query: 'x' })).toEqual(['x'])
  expect(await ask('memory.store', { content: 'x' })).toEqual({ id: 'm1' })
  expect(await ask('checkpoint.save', { state: 1 })).toEqual({ id: 'c1' })
  expect(await ask('checkpoint.restore', { id: 'c1' })).toEqual({ id: 'c1' })
  const without = methodsFor(['memory:read', 'memory:write'])
  expect(await without.ask('memory.search', { query: 'x' })).toBe('NOT_FOUND')
  const notGranted = methodsFor([], [], host)
  expect(await notGranted.ask('memory.store', {})).toBe('CAPABILITY_NOT_GRANTED')
})

it.each([
  ['scrub', {}],
  ['log', { level: 'loud', message: '' }],
  ['progress', { progress: 'half' }],
  ['fetch', { url: 1 }],
  ['require', { capability: 'fs:read', more: 1 }],
])('refuses %s with %j', async (name, params) => {
  expect(await methodsFor(['scrubber:scan']).ask(name, params as JsonObject)).toBe('INVALID_ARGUMENTS')
})
