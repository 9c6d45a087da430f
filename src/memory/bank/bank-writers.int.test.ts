import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { bundleScript } from '../../../test/support/bundled-script.ts'
import { aMemory, aUser, temporaryBank } from '../../../test/support/memory-bank.ts'

const run = promisify(execFile)
const rounds = 20
const fields = ['title', 'description', 'content'] as const

test('concurrent writes by several processes lose nothing', async () => {
  const { bank, store } = temporaryBank()
  const user = aUser()
  const { id } = (await bank.store(user, aMemory())).memory
  const script = await bundleScript('test/support/memory-writer.ts')
  try {
    const folder = dirname(store.path)
    await Promise.all(
      fields.map((field) => run(process.execPath, [script.path, folder, id, field, String(rounds)])),
    )
  } finally {
    script.remove()
  }
  const [memory] = bank.get(user, [id])
  expect(memory).toMatchObject(
    Object.fromEntries(fields.map((field) => [field, `${field} of round ${rounds}`])),
  )
  expect(memory?.evidence).toEqual({ helped: 4 + fields.length * rounds, misled: 1 })
  expect(bank.list(user).total).toBe(1 + fields.length * rounds)
  for (const field of fields) {
    const { hits } = await bank.search(user, { text: `${field}${rounds}`, limit: 1 })
    expect(hits[0]?.memory.title).toBe(`${field}${rounds}`)
  }
  expect(bank.pending({ model: 'words', limit: 100 })).toEqual([])
  expect(store.prepare('SELECT count(*) AS many FROM memory_feedback').get()?.many).toBe(
    fields.length * rounds,
  )
  expect(store.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok')
})
