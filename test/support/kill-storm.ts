import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { openStore, type Store } from '../../src/platform/storage/store.ts'
import { verifyAudit, type Verification } from '../../src/stages/audit/verify.ts'
import { bundleScript } from './bundled-script.ts'

export interface StormOptions {
  readonly writers: number
  readonly rounds: number
  /** Maximum number of records before a writer is killed. */
  readonly records: number
  readonly seed: number
}

export interface Aftermath {
  readonly store: Store
  /** Number and hash of every record that a writer acknowledged. */
  readonly acknowledged: ReadonlyMap<number, string>
  /** Acknowledged records that are missing or differ. */
  readonly lost: () => number[]
  readonly verify: () => Verification
  /** The integrity check of SQLite. */
  readonly integrity: string
  /** Errors that writers reported before they were killed. */
  readonly complaints: readonly string[]
}

/** Runs rounds of writers on one new store, kills each while it works, and inspects the result. */
export async function killStorm<T>(options: StormOptions, inspect: (aftermath: Aftermath) => T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-storm-'))
  const script = await bundleScript('test/support/storm-writer.ts')
  try {
    const { acknowledged, complaints } = await runRounds(script.path, folder, options)
    const store = openStore(join(folder, 'contextd.db'))
    try {
      const seal = store.prepare('SELECT lower(hex(hash)) AS hash FROM audit WHERE seq = ?')
      const files = { store, keysDir: join(folder, 'keys'), headFile: join(folder, 'audit.head') }
      return inspect({
        store,
        acknowledged,
        lost: () =>
          [...acknowledged].filter(([seq, hash]) => seal.get(seq)?.hash !== hash).map(([seq]) => seq),
        verify: () => verifyAudit(files),
        integrity: String(store.prepare('PRAGMA integrity_check').get()?.integrity_check),
        complaints,
      })
    } finally {
      store.close()
    }
  } finally {
    script.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runRounds(
  script: string,
  folder: string,
  { writers, rounds, records, seed }: StormOptions,
): Promise<{ acknowledged: Map<number, string>; complaints: string[] }> {
  const random = seededRandom(seed)
  const acknowledged = new Map<number, string>()
  const complaints: string[] = []

  const runWriter = (lines: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'pipe'] })
      let seen = 0
      createInterface(child.stdout).on('line', (line) => {
        const [, seq, hash = ''] = /^(\d+) ([0-9a-f]{64})$/.exec(line) ?? []
        if (seq !== undefined) {
          if (acknowledged.has(Number(seq))) complaints.push(`record ${seq} was acknowledged twice`)
          acknowledged.set(Number(seq), hash)
        }
        if (++seen === lines) child.kill('SIGKILL')
      })
      createInterface(child.stderr).on('line', (line) => complaints.push(line))
      child.on('error', reject)
      child.on('close', (code) => {
        if (code !== null) complaints.push(`a writer ended by itself with ${code}`)
        resolve()
      })
    })

  for (let round = 0; round < rounds; round++) {
    // The first line is printed before the store is opened: some writers never get further.
    await Promise.all(Array.from({ length: writers }, () => runWriter(1 + Math.floor(random() * records))))
  }
  return { acknowledged, complaints }
}

/** The same numbers for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
