import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createBank } from '../src/memory/bank/bank.ts'
import type { MemoryUser } from '../src/memory/memory-access.ts'
import { openStore } from '../src/platform/storage/store.ts'
import { temporaryFolder } from './support/audit.ts'
import { bundleScript, type BundledScript } from './support/bundled-script.ts'

const tenant = 'local'
const user: MemoryUser = {
  reach: { tenant, project: '/p', session: 's', agent: 'operator', read: ['all'], write: ['all'] },
  archiver: { archive: (text) => text, recall: (text) => text },
}

let script: BundledScript
beforeAll(async () => {
  script = await bundleScript('test/support/killed-importer.ts')
})
afterAll(() => script.remove())

interface Ending {
  readonly signal: NodeJS.Signals | null
  readonly answer: { added: string[]; same: string[]; different: string[] } | undefined
}

function runImport(folder: string, count: number, last?: number): Ending {
  const args = [script.path, folder, String(count), ...(last === undefined ? [] : [String(last)])]
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (stdout === '' && signal === null) throw new Error(stderr)
  return { signal, answer: stdout === '' ? undefined : (JSON.parse(stdout) as Ending['answer']) }
}

/** The remaining data: rows, their indexed words, and search results. */
async function look(folder: string) {
  const store = openStore(join(folder, 'contextd.db'))
  try {
    const one = (sql: string): number => Number(store.prepare(sql).get()?.n)
    const bank = createBank({ store, tenant, clock: Date.now })
    const { memories } = bank.list(user, { scope: 'all', limit: 1 })
    const words = memories[0] === undefined ? 'nothing' : `number${memories[0].id.slice('mem_'.length)}`
    const { hits } = await bank.search(user, { text: words, scope: 'all', limit: 1 })
    return {
      rows: one('SELECT count(*) AS n FROM memories'),
      words: one('SELECT count(*) AS n FROM memory_words_docsize'),
      pairs: one('SELECT count(*) AS n FROM memories JOIN memory_words_docsize AS kept ON kept.id = seq'),
      newest: memories[0]?.id,
      found: hits[0]?.memory.id,
      integrity: String(store.prepare('PRAGMA integrity_check').get()?.integrity_check),
    }
  } finally {
    store.close()
  }
}

describe('an import that is killed', () => {
  const count = 1000

  test.each([1, 250, 999])(
    'at memory %i leaves complete memories only, and the next import completes it',
    async (last) => {
      const folder = temporaryFolder()
      expect(runImport(folder, count, last)).toEqual({ signal: 'SIGKILL', answer: undefined })
      const left = await look(folder)
      // Batches of a hundred: the one being written is missing completely.
      const whole = Math.floor((last - 1) / 100) * 100
      expect(left).toMatchObject({ rows: whole, words: whole, pairs: whole, integrity: 'ok' })
      expect(left.found).toBe(left.newest)

      const { signal, answer } = runImport(folder, count)
      expect([signal, answer?.added.length, answer?.same.length]).toEqual([null, count - whole, whole])
      expect(await look(folder)).toMatchObject({ rows: count, words: count, pairs: count, integrity: 'ok' })
      expect(runImport(folder, count).answer).toMatchObject({ added: [], different: [] })
    },
  )
})
