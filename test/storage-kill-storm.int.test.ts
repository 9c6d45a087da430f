import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { openStore, type Store } from '../src/platform/storage/store.ts'
import { verifyAudit } from '../src/stages/audit/verify.ts'
import { bundleScript } from './support/bundled-script.ts'
import { killStorm } from './support/kill-storm.ts'

/** `CONTEXTD_STORM=full` runs the whole storm, the ordinary run a sample of it. */
const rounds = process.env.CONTEXTD_STORM === 'full' ? 100 : 3
const writers = 10

function lost(store: Store, acknowledged: ReadonlyMap<number, string>): number[] {
  const find = store.prepare('SELECT lower(hex(hash)) AS hash FROM audit WHERE seq = ?')
  return [...acknowledged].filter(([seq, hash]) => find.get(seq)?.hash !== hash).map(([seq]) => seq)
}

test(
  'ten writers killed at any moment lose no record they acknowledged and damage nothing',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'contextd-storm-'))
    const script = await bundleScript('test/support/storm-writer.ts')
    onTestFinished(() => {
      script.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    const storm = { script: script.path, folder, writers, rounds, records: 60, seed: 20_260_101 }
    const { acknowledged, complaints } = await killStorm(storm)
    expect(complaints).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(rounds * writers)

    const store = openStore(join(folder, 'contextd.db'))
    onTestFinished(() => store.close())
    const files = { store, keysDir: join(folder, 'keys'), headFile: join(folder, 'audit.head') }
    expect(store.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(lost(store, acknowledged)).toEqual([])
    const verdict = verifyAudit(files)
    expect(verdict).toMatchObject({ ok: true, first_bad: null })
    // Stored, and killed before it could say so: at most one a writer.
    expect(verdict.records - acknowledged.size).toBeLessThanOrEqual(rounds * writers)

    const oldest = Math.min(...acknowledged.keys())
    store.prepare('DELETE FROM audit WHERE seq = ?').run(oldest)
    expect(lost(store, acknowledged)).toEqual([oldest])
    expect(verifyAudit(files).ok).toBe(false)
  },
  rounds * 20_000,
)
