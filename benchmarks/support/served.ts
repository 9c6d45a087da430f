import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { parse, resolve } from 'node:path'

import { usageOf } from '../../src/sandbox/process-tree.ts'

/** A server started for the benchmark, which exits with it. */
export interface ServedProcess {
  /** The line it printed when it was ready. */
  readonly line: string
  /** Resident memory in MB. */
  rss(): number
  /** CPU time used so far, in milliseconds. */
  cpuMs(): number
  stop(): Promise<void>
}

/** Bundles a program like the product and returns its path. */
export function bundled(source: string): string {
  const folder = 'node_modules/.cache/contextd/bench'
  execFileSync(process.execPath, ['scripts/bundle.mjs', source, folder])
  return resolve(folder, `${parse(source).name}.js`)
}

/** Resolves when the program has printed its first line. */
export async function serve(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<ServedProcess> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('no pipe')
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  child.stdout.resume()
  return {
    line: chunk.toString().split('\n', 1)[0]!,
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    cpuMs: () => usageOf(child.pid!).cpuMs,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
