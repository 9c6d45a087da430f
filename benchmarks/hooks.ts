import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { compare, type Comparison } from './support/statistics.ts'

const payload = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 'bench',
  cwd: process.cwd(),
  tool_name: 'Bash',
  tool_input: { command: 'git status --short && npm test -- --run src/index.test.ts' },
})

/**
 * The time a client waits for a hook before it uses a tool, in milliseconds, compared with `node -e 0`; the two
 * alternate.
 */
export async function measureHook(env: NodeJS.ProcessEnv, rounds: number): Promise<Comparison> {
  const run = async (args: readonly string[]): Promise<number> => {
    const before = performance.now()
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] })
    child.stdin.on('error', () => {})
    child.stdin.end(payload)
    const [code] = (await once(child, 'exit')) as [number]
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
    return performance.now() - before
  }
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ theirs: await run(['-e', '0']), ours: await run(['bin/contextd.js', 'hook', 'protect']) })
  }
  return compare(pairs)
}

/** The same with a running daemon. */
export async function measureHookWithDaemon(env: NodeJS.ProcessEnv, rounds: number): Promise<Comparison> {
  const daemon = spawn(process.execPath, ['bin/contextd.js', 'serve', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(daemon.stdout, 'data')
  try {
    return await measureHook(env, rounds)
  } finally {
    daemon.kill('SIGTERM')
    await once(daemon, 'exit')
  }
}
