import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { compare, type Comparison } from '../support/statistics.ts'

/** Run time of a program compared with `node -e 0`, in milliseconds; the two alternate. */
export async function measureRun(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  rounds: number,
): Promise<Comparison> {
  const run = async (words: readonly string[]): Promise<number> => {
    const before = performance.now()
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = (await once(child, 'exit')) as [number]
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
    return performance.now() - before
  }
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ theirs: await run(['-e', '0']), ours: await run(args) })
  }
  return compare(pairs)
}
