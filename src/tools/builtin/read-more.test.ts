import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { aCall } from '../../../test/support/calls.ts'
import { noModel } from '../../../test/support/no-model.ts'
import { issuesIn, runTool } from '../../../test/support/run-tool.ts'
import type { ToolHost } from '../../core/ports.ts'
import { answer, type Answer } from '../../core/result.ts'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import { createRefs } from '../../stages/budget/refs.ts'
import { budgetStage } from '../../stages/budget/stage.ts'
import { createReadMore } from './read-more.ts'

/** Private context is paged by the broker, and tested there. */
const readMore = createReadMore(async () => answer('private', { isPrivate: true }))
const scope = { tenant: 'local', project: '/project', session: 'session-1', agent: 'main' }
const text = Array.from({ length: 2000 }, (_, index) => `line ${index} "quoted" 漢字\n`).join('')

interface Page {
  data: string
  refs?: { ref: string; next: number }[]
  has_more?: boolean
  tokens_used: number
}

/** The tool as it runs: behind the budget stage, with a host that hands out slices larger than an answer may be. */
function setUp(answerTokens: number) {
  const store = temporaryStore()
  const refs = createRefs({ store, clock: Date.now, ttlMs: 60_000, count: estimateTokens })
  const stage = budgetStage({
    store,
    refs,
    count: estimateTokens,
    answerTokens,
    model: noModel,
  })
  const host = {
    refs: { read: (ref: string, offset = 0) => refs.read(scope, ref, offset, answerTokens) },
  } as ToolHost
  const principal = { agent: 'main', level: 'default' } as const
  const call = aCall({ principal, tool: 'read_more', resolvedTool: readMore })
  const read = async (args: { ref: string; offset?: number }): Promise<Page> => {
    const result = await stage(call, () => runTool(readMore, args, host))
    return (result as Answer).structured as unknown as Page
  }
  const refCount = (): unknown => store.prepare('SELECT count(*) AS many FROM refs').get()?.many
  return { refs, read, refCount }
}

test('reads to the end, page by page, and every page fits', async () => {
  const { refs, read, refCount } = setUp(600)
  const ref = refs.save(scope, text)
  let whole = ''
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page: Page = await read({ ref, offset })
    expect(page.tokens_used).toBeLessThanOrEqual(600)
    whole += page.data
    expect(page.has_more).toBe(page.refs === undefined ? undefined : true)
    offset = page.refs?.[0]?.next
  }
  expect(whole).toBe(text)
  // No page was put behind a ref of its own.
  expect(refCount()).toBe(1)
})

test('starts at the beginning unless told otherwise', async () => {
  const { refs, read } = setUp(600)
  expect((await read({ ref: refs.save(scope, 'short') })).data).toBe('short')
})

test('a ref of private context is not looked for among the others', async () => {
  const { read } = setUp(600)
  expect((await read({ ref: 'ctxref_0000000000000000000000' })).data).toBe('private')
})

test('an unknown ref is said to be one', async () => {
  const { read } = setUp(600)
  await expect(read({ ref: 'ref_0000000000000000000000' })).rejects.toMatchObject({ code: 'REF_NOT_FOUND' })
})

test('wrong arguments are found before it runs', () => {
  expect(issuesIn(readMore, { ref: 'ref_x', offset: 12 })).toEqual([])
  expect(issuesIn(readMore, { offset: -1 })).toEqual([
    { field: 'ref', expected: 'required, string' },
    { field: 'offset', expected: 'at least 0' },
  ])
})

test('is cheap to list', () => {
  expect(estimateTokens(JSON.stringify({ ...readMore.definition, _meta: undefined }))).toBeLessThan(100)
})
