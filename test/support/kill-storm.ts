import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface StormOptions {
  /** The bundled writer. */
  readonly script: string
  readonly folder: string
  readonly writers: number
  readonly rounds: number
  /** A writer is killed after at most that many records. */
  readonly records: number
  readonly seed: number
}

export interface StormResult {
  /** Number and seal of every record that a writer said was stored. */
  readonly acknowledged: ReadonlyMap<number, string>
  /** What writers complained about before they died. */
  readonly complaints: readonly string[]
}

/** Rounds of writers at the same store, each killed in the middle of its work, some while they open it. */
export async function killStorm({
  script,
  folder,
  writers,
  rounds,
  records,
  seed,
}: StormOptions): Promise<StormResult> {
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
          if (acknowledged.has(Number(seq))) reject(new Error(`record ${seq} was acknowledged twice`))
          acknowledged.set(Number(seq), hash)
        }
        if (++seen === lines) child.kill('SIGKILL')
      })
      createInterface(child.stderr).on('line', (line) => complaints.push(line))
      child.on('error', reject)
      child.on('close', (code) => {
        if (code === null) resolve()
        else reject(new Error(`a writer ended by itself with ${code}: ${complaints.join('; ')}`))
      })
    })

  for (let round = 0; round < rounds; round++) {
    // The first line comes before the store is opened.
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
