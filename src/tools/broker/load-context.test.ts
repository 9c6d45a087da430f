import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'

import { temporaryFolder, temporaryStore } from '../../../test/support/audit.ts'
import { aCall } from '../../../test/support/calls.ts'
import { noModel } from '../../../test/support/no-model.ts'
import { issuesIn, runTool } from '../../../test/support/run-tool.ts'
import { identityLevels, type Call, type IdentityLevel } from '../../core/call.ts'
import { CodedError, ContextdError, type ErrorObject } from '../../core/errors/errors.ts'
import type { PrivateContext, ToolHost } from '../../core/ports.ts'
import { failure, type Answer, type Result } from '../../core/result.ts'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import { createRefs } from '../../stages/budget/refs.ts'
import { budgetStage } from '../../stages/budget/stage.ts'
import { createReadMore } from '../builtin/read-more.ts'
import { createLoadContext } from './load-context.ts'

const text = '# Catalogue\n\n- Project Heron\n'
const key = 'ctx_right-key-right-key-right-key'
const anyKey = 'ctx_any-key-any-key-any-key-any-key'
const scannerMap = `[keys]\n${key} = { path = "catalogue.md", agents = ["contextd:scanner"] }\n`
const keyOnlyMap = `[keys]\n${anyKey} = "catalogue.md"\n`

interface Page {
  data: string
  refs?: { ref: string; next: number }[]
  tokens_used: number
}

function setUp(map: string | undefined = scannerMap, content = text) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'config'), { mode: 0o700 })
  const put = (name: string, written: string): void =>
    writeFileSync(join(folder, 'config', name), written, { mode: 0o600 })
  if (map !== '') put('context-map.toml', map)
  put('catalogue.md', content)
  const remembered: Parameters<PrivateContext['remember']>[1][] = []
  let now = 1_000_000
  const { tool, readPrivate } = createLoadContext({
    map: join(folder, 'config/context-map.toml'),
    home: folder,
    stateFolder: join(folder, 'state'),
    hashKey: () => Buffer.alloc(32, 7),
    clock: () => now,
    remember: (_, loaded) => remembered.push(loaded),
  })
  const readMore = createReadMore(readPrivate)
  const store = temporaryStore()
  const refs = createRefs({ store, clock: Date.now, ttlMs: 60_000, count: estimateTokens })
  const find = (name: string): typeof tool => (name === 'read_more' ? readMore : tool)
  const stage = budgetStage({ store, refs, count: estimateTokens, answerTokens: 2000, model: noModel })
  /** As dispatch does it, behind the budget stage. */
  const send = async (call: Call): Promise<Result> =>
    stage({ ...call, resolvedTool: find(call.tool) }, async () => {
      const host = { call } as ToolHost
      try {
        return await runTool(find(call.tool), call.arguments, host)
      } catch (error) {
        if (error instanceof CodedError) return failure(error.toObject())
        throw error
      }
    })
  return {
    put,
    remove: (name: string) => rmSync(join(folder, 'config', name)),
    remembered,
    tool,
    wait: (ms: number) => (now += ms),
    load: (args: Call['arguments'], asker: Partial<Call>) =>
      send(aCall({ tool: 'load_context', arguments: args, ...asker })),
    readOn: (args: Call['arguments'], asker: Partial<Call>) =>
      send(aCall({ tool: 'read_more', arguments: args, ...asker })),
    /** What lies in the table of refs: nothing of this may. */
    stored: () => store.prepare('SELECT count(*) AS many FROM refs').get()?.many,
  }
}

const attested = (agent: string): Partial<Call> => ({
  claims: { attested: { agent, instance: 'a1' } },
  principal: { agent: 'default', level: 'default' },
})
const at = (level: IdentityLevel, agent = 'contextd:scanner'): Partial<Call> => ({
  principal: { agent, level },
})
const scanner = attested('contextd:scanner')

const pageOf = (result: Result): Page => {
  expect(result).toMatchObject({ kind: 'answer', isPrivate: true })
  return (result as Answer).structured as unknown as Page
}
function errorOf(result: Result): ErrorObject {
  expect(result).toMatchObject({ kind: 'answer', isError: true })
  // What says no says nothing of what it kept.
  expect(result).not.toHaveProperty('isPrivate')
  expect(JSON.stringify(result)).not.toMatch(/Heron|ctx_|catalogue/)
  return ((result as Answer).structured as unknown as { error: ErrorObject }).error
}
const codeOf = (result: Result): string => errorOf(result).code

describe('who gets it', () => {
  const outcome = async (map: string, args: Call['arguments'], asker: Partial<Call>): Promise<string> => {
    const result = await setUp(map).load(args, asker)
    return (result as Answer).isError === true ? codeOf(result) : pageOf(result).data
  }

  test('the attested agent, with the key or without any', async () => {
    expect(await outcome(scannerMap, { key }, scanner)).toBe(text)
    expect(await outcome(scannerMap, {}, scanner)).toBe(text)
    expect(await outcome(scannerMap, { key: '' }, scanner)).toBe(text)
    expect(await outcome(scannerMap, { key: `${key}x` }, scanner)).toBe('CONTEXT_KEY_UNKNOWN')
  })

  test.each<[string, Partial<Call>]>([
    ['the main thread, attested', attested('main')],
    ['another agent, attested', attested('contextd:other')],
    ...identityLevels
      .slice(1)
      .map((level) => [`the right name by ${level}`, at(level)] as [string, Partial<Call>]),
  ])('not %s, whatever key it has', async (_, asker) => {
    expect(await outcome(scannerMap, { key }, asker)).toBe('CONTEXT_REFUSED')
    expect(await outcome(scannerMap, { key: 'wrong' }, asker)).toBe('CONTEXT_KEY_UNKNOWN')
    expect(await outcome(scannerMap, {}, asker)).toBe('CONTEXT_NOT_ASSIGNED')
  })

  test('anyone with the key if no agent is named, and nobody without it', async () => {
    for (const asker of [at('default', 'main'), at('token'), scanner]) {
      expect(await outcome(keyOnlyMap, { key: anyKey }, asker)).toBe(text)
      expect(await outcome(keyOnlyMap, { key: anyKey.slice(0, -1) }, asker)).toBe('CONTEXT_KEY_UNKNOWN')
      expect(await outcome(keyOnlyMap, {}, asker)).toBe('CONTEXT_NOT_ASSIGNED')
    }
  })

  test.each(identityLevels)('an entry that asks for %s', async (require) => {
    const map = `[keys]\n${key} = { path = "catalogue.md", agents = ["front"], require = "${require}" }\n`
    for (const level of identityLevels) {
      const asker = level === 'attested' ? attested('front') : at(level, 'front')
      const reaches = identityLevels.indexOf(level) <= identityLevels.indexOf(require)
      expect(await outcome(map, { key }, asker), level).toBe(reaches ? text : 'CONTEXT_REFUSED')
      expect(await outcome(map, {}, asker), level).toBe(level === 'attested' ? text : 'CONTEXT_NOT_ASSIGNED')
    }
  })

  test('with several contexts the key says which', async () => {
    const { load, put } = setUp(`${scannerMap}${anyKey} = { path = "b.md", agents = ["contextd:scanner"] }\n`)
    put('b.md', 'the other one')
    expect(errorOf(await load({}, scanner))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      fields: [{ field: 'key', expected: 'required, because 2 contexts are meant for you' }],
    })
    expect(pageOf(await load({ key: anyKey }, scanner)).data).toBe('the other one')
  })
})

describe('why it cannot be had', () => {
  test('no map, a map with a mistake, no file, no Markdown: each has its own error', async () => {
    const { load, put, remove } = setUp('')
    expect(codeOf(await load({ key }, scanner))).toBe('CONTEXT_MAP_MISSING')
    put('context-map.toml', `[keys]\n${key} = 7\n`)
    expect(errorOf(await load({ key }, scanner))).toMatchObject({
      code: 'CONTEXT_MAP_INVALID',
      message: 'The context map cannot be used: it has a mistake in line 2',
    })
    put('context-map.toml', scannerMap.replace('catalogue.md', 'notes.txt'))
    put('notes.txt', text)
    expect(codeOf(await load({ key }, scanner))).toBe('CONTEXT_NOT_MARKDOWN')
    put('context-map.toml', scannerMap)
    expect(pageOf(await load({ key }, scanner)).data).toBe(text)
    remove('catalogue.md')
    expect(codeOf(await load({ key }, scanner))).toBe('CONTEXT_FILE_MISSING')
  })

  test('a refusal is on record as one', async () => {
    const { load } = setUp()
    const trailOf = async (asker: Partial<Call>): Promise<Call['trail']> => {
      const { trail } = aCall()
      await load({ key }, { ...asker, trail })
      return trail
    }
    expect(await trailOf(attested('main'))).toMatchObject({ decision: 'deny' })
    const { decision, notes } = await trailOf(scanner)
    expect(decision).toBeUndefined()
    expect(notes).toEqual([expect.stringMatching(/^loaded the context hash:[0-9a-f]{16}$/)])
  })
})

describe('guessing', () => {
  const wrong = { key: 'ctx_guess' }

  test('ends after a few wrong keys, also for the right one, and not for others', async () => {
    const { load, wait } = setUp(`${scannerMap}${anyKey} = "catalogue.md"\n`)
    for (let guess = 0; guess < 4; guess++)
      expect(codeOf(await load(wrong, at('default', 'main')))).toMatch(/UNKNOWN/)
    // A key that is meant for somebody else is a guess too.
    expect(codeOf(await load({ key }, at('default', 'main')))).toBe('CONTEXT_REFUSED')
    expect(errorOf(await load({ key: anyKey }, at('default', 'main')))).toMatchObject({
      code: 'RATE_LIMITED',
      retry_after_ms: 60_000,
    })
    expect(pageOf(await load({ key: anyKey }, at('default', 'other'))).data).toBe(text)
    wait(60_000)
    expect(pageOf(await load({ key: anyKey }, at('default', 'main'))).data).toBe(text)
  })

  test('many at once are as many guesses', async () => {
    const { load } = setUp()
    const results = await Promise.all(Array.from({ length: 50 }, () => load(wrong, at('default', 'main'))))
    const codes = results.map(codeOf)
    expect(codes.filter((code) => code === 'CONTEXT_KEY_UNKNOWN')).toHaveLength(5)
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(45)
  })

  test('under many names ends too; an attested agent still gets its own without a key', async () => {
    const { load } = setUp()
    for (let name = 0; name < 20; name++) {
      expect(codeOf(await load(wrong, attested(`name-${name}`)))).toBe('CONTEXT_KEY_UNKNOWN')
    }
    expect(codeOf(await load({ key }, scanner))).toBe('RATE_LIMITED')
    expect(pageOf(await load({}, scanner)).data).toBe(text)
  })

  test('right keys are no guesses', async () => {
    const { load } = setUp()
    for (let round = 0; round < 30; round++) pageOf(await load({ key }, scanner))
  })
})

describe('a long one', () => {
  const long = Array.from({ length: 2400 }, (_, index) => `- "name ${index}" \\ 漢\n`).join('')

  test('is read to its end, page by page, and no copy of it is kept', async () => {
    const { load, readOn, stored, remembered } = setUp(scannerMap, long)
    const first = pageOf(await load({ key }, scanner))
    expect(first.tokens_used).toBeGreaterThan(7000)
    expect(first.tokens_used).toBeLessThanOrEqual(8000)
    let whole = first.data
    let rest = first.refs?.[0]
    for (let pages = 0; rest !== undefined && pages < 100; pages++) {
      const page = pageOf(await readOn({ ref: rest.ref, offset: rest.next }, scanner))
      whole += page.data
      rest = page.refs?.[0]
    }
    expect(createHash('sha256').update(whole).digest()).toEqual(createHash('sha256').update(long).digest())
    expect(stored()).toBe(0)
    expect(remembered).toEqual([{ key, text: long }])
  })

  test('is kept from everybody who was not given its beginning', async () => {
    const { load, readOn } = setUp(scannerMap, long)
    const { refs } = pageOf(await load({}, scanner))
    const ref = refs?.[0]?.ref ?? ''
    expect(ref).toMatch(/^ctxref_[\w-]{22}$/)
    for (const asker of [attested('main'), at('token', 'main'), { ...scanner, session: 'session-2' }]) {
      expect(codeOf(await readOn({ ref }, asker))).toBe('REF_NOT_FOUND')
    }
    // The right name is not enough for the rest where it was not for the beginning.
    expect(codeOf(await readOn({ ref }, at('token')))).toBe('REF_NOT_FOUND')
    expect(codeOf(await readOn({ ref: 'ctxref_0000000000000000000000' }, scanner))).toBe('REF_NOT_FOUND')
    expect(pageOf(await readOn({ ref }, scanner)).data).toMatch(/^- "name 0"/)
  })

  test('ends where the file or the map has changed', async () => {
    const { load, readOn, put } = setUp(scannerMap, long)
    const ref = pageOf(await load({}, scanner)).refs?.[0]?.ref ?? ''
    put('catalogue.md', `${long}more`)
    expect(codeOf(await readOn({ ref }, scanner))).toBe('REF_EXPIRED')
    put('catalogue.md', long)
    put('context-map.toml', scannerMap.replace('contextd:scanner', 'contextd:other'))
    expect(codeOf(await readOn({ ref }, scanner))).toBe('REF_EXPIRED')
    put('context-map.toml', '[keys]\n')
    expect(codeOf(await readOn({ ref }, scanner))).toBe('REF_EXPIRED')
    put('context-map.toml', scannerMap)
    pageOf(await readOn({ ref }, scanner))
  })

  test('an offset into a character is drawn back to its beginning, one behind the end is the end', async () => {
    const { load, readOn } = setUp(scannerMap, '漢'.repeat(20_000))
    const ref = pageOf(await load({}, scanner)).refs?.[0]?.ref ?? ''
    for (const offset of [3, 4, 5])
      expect(pageOf(await readOn({ ref, offset }, scanner)).data).toMatch(/^漢漢/)
    expect(pageOf(await readOn({ ref, offset: 10 ** 9 }, scanner)).data).toBe('')
  })
})

test('nothing is handed out that could not be remembered', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'map.toml'), scannerMap, { mode: 0o600 })
  writeFileSync(join(folder, 'catalogue.md'), text)
  const { tool } = createLoadContext({
    map: join(folder, 'map.toml'),
    home: folder,
    stateFolder: join(folder, 'state'),
    hashKey: () => Buffer.alloc(32, 7),
    clock: Date.now,
    remember: () => {
      throw new ContextdError('STORE_UNAVAILABLE', { cause: 'full' })
    },
  })
  const host = { call: aCall(scanner) } as ToolHost
  await expect(runTool(tool, {}, host)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
})

test('is cheap to list, checks its argument and hides it from the record', () => {
  const { tool } = setUp()
  const { name, description, inputSchema } = tool.definition
  expect(countTokens(JSON.stringify({ name, description, inputSchema }))).toBeLessThan(70)
  expect(issuesIn(tool, {})).toEqual([])
  expect(issuesIn(tool, { key: 'x'.repeat(513) })).toEqual([
    { field: 'key', expected: 'at most 512 characters' },
  ])
  expect(tool.forRecord?.({ key })).toEqual({ context: expect.stringMatching(/^hash:[0-9a-f]{16}$/) })
})
