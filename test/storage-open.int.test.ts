import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { openStore } from '../src/platform/storage/store.ts'
import { verifyAudit } from '../src/stages/audit/verify.ts'
import { temporaryFolder } from './support/audit.ts'
import { bundleScript, type BundledScript } from './support/bundled-script.ts'

let script: BundledScript
beforeAll(async () => {
  script = await bundleScript('test/support/store-opener.ts')
})
afterAll(() => script.remove())

interface Visit {
  readonly seq?: number
  readonly error?: { readonly code: string; readonly message: string }
}

interface Visitor {
  readonly visit: (folder: string) => Promise<Visit>
  /** Ends the process, and with it its last connection. */
  leave(): Promise<unknown>
}

function startVisitor({ asStranger = false } = {}): Visitor {
  const child = spawn(process.execPath, [script.path, ...(asStranger ? ['stranger'] : [])])
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const answers = createInterface(child.stdout)
  return {
    async visit(folder) {
      child.stdin.write(`${folder}\n`)
      const [line] = (await once(answers, 'line')) as [string]
      return JSON.parse(line) as Visit
    },
    leave() {
      child.stdin.end()
      return ended
    },
  }
}

async function visitOnce(folder: string, options?: { asStranger: boolean }): Promise<Visit> {
  const visitor = startVisitor(options)
  const seen = await visitor.visit(folder)
  await visitor.leave()
  return seen
}

test('ten processes that open a new store at once find one schema, one key and one chain', async () => {
  const folder = temporaryFolder()
  const visitors = Array.from({ length: 10 }, () => startVisitor())
  // Each opens its own store first, so that all are running before they compete.
  await Promise.all(visitors.map(({ visit }, index) => visit(join(folder, `alone-${index}`))))

  for (let round = 0; round < 5; round++) {
    const place = join(folder, `together-${round}`)
    const visits = await Promise.all(visitors.map(({ visit }) => visit(place)))
    expect(visits.map(({ error }) => error)).toEqual(visitors.map(() => undefined))
    expect(new Set(visits.map(({ seq }) => seq))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))

    const store = openStore(join(place, 'contextd.db'))
    onTestFinished(() => store.close())
    const files = { store, keysDir: join(place, 'keys'), headFile: join(place, 'audit.head') }
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: 10, first_bad: null })
    expect(store.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(readdirSync(files.keysDir)).toEqual(['audit.key'])
  }
})

describe('a folder that cannot be written', () => {
  const openTo = (mode: number): string => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    const place = join(folder, 'place')
    mkdirSync(place)
    chmodSync(place, mode)
    // Only root can delete what is in a folder that cannot be written.
    onTestFinished(() => chmodSync(place, 0o755))
    return place
  }

  test('gives a clear error for a new store, and stays empty', async () => {
    const place = openTo(0o555)
    const { error } = await visitOnce(place, { asStranger: true })
    expect(error).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('access was denied'),
    })
    expect(readdirSync(place)).toEqual([])
  })

  test('gives a clear error for an existing store, and preserves it', async () => {
    const place = openTo(0o755)
    expect(await visitOnce(place)).toEqual({ seq: 1 })
    const before = readFileSync(join(place, 'contextd.db'))
    chmodSync(join(place, 'contextd.db'), 0o400)
    chmodSync(place, 0o555)
    const { error } = await visitOnce(place, { asStranger: true })
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(readFileSync(join(place, 'contextd.db')).equals(before)).toBe(true)
  })

  test('is distinguished from one that can', async () => {
    expect(await visitOnce(openTo(0o777), { asStranger: true })).toEqual({ seq: 1 })
  })
})
