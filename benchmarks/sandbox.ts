// What confinement costs, compared with the unconfined operation; the two alternate.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { composeRuntime } from '../src/compose.ts'
import { openBubblewrap, line } from '../src/sandbox/bubblewrap.ts'
import type { Confinement } from '../src/sandbox/sandbox.ts'
import { viewSystem } from '../src/sandbox/system-view.ts'
import { confinedTo } from '../test/sandbox/confined-to.ts'
import { compare, type Comparison } from './support/statistics.ts'

type Pairs = { ours: number; theirs: number }[]

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export async function inTurns(
  rounds: number,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
  pause = 0,
): Promise<Comparison> {
  const pairs: Pairs = []
  for (let round = -5; round < rounds; round++) {
    const pair = { theirs: await timed(theirs), ours: await timed(ours) }
    if (round >= 0) pairs.push(pair)
    if (pause > 0) await sleep(pause)
  }
  return compare(pairs)
}

function bareTrue(): Promise<unknown> {
  return once(spawn('true', { stdio: 'ignore' }), 'close')
}

/** The same bubblewrap command around `true`, started from Node without our code. */
function bareLine(confinement: Confinement, folder: string): () => Promise<unknown> {
  const { options, seccomp } = line(confinement, viewSystem(folder), false)
  return async () => {
    const child = spawn('/usr/bin/bwrap', ['--args', '3', '--', 'bash', '-c', 'true'], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    })
    const [args, filter] = [child.stdio[3], child.stdio[4]] as import('node:net').Socket[]
    filter!.end(seccomp)
    args!.end(`${[...options, '--seccomp', '4'].join('\0')}\0`)
    child.stdout?.resume()
    child.stderr?.resume()
    await once(child, 'close')
  }
}

/**
 * `safe_bash true` by the official client over stdio, compared with the bare command. No sandbox is ready in advance.
 */
export async function measureSafeBash(home: string, env: Record<string, string>): Promise<Comparison> {
  const workspace = join(realpathSync(home), 'bash-workspace')
  mkdirSync(workspace)
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(process.cwd(), 'bin/contextd.js'), 'mcp', 'serve'],
      cwd: workspace,
      env,
      stderr: 'ignore',
    }),
  )
  const call = () => client.callTool({ name: 'safe_bash', arguments: { command: 'true' } })
  const bare = bareLine(confinedTo(workspace), join(home, 'bare-state'))
  const result = await inTurns(60, call, bare)
  await client.close()
  return result
}

/** A command in a sandbox that is ready, compared with `spawn('true')`, in process. */
export async function measureWarmSandbox(home: string): Promise<Comparison> {
  const workspace = join(realpathSync(home), 'warm-workspace')
  mkdirSync(workspace)
  const sandbox = await openBubblewrap({ folder: join(home, 'warm-state') })
  const confinement = confinedTo(workspace)
  const run = () => sandbox.run({ run: 'true', cwd: workspace, env: {} }, confinement)
  await run()
  // Real commands have pauses in between, during which the next sandbox is created.
  const result = await inTurns(60, run, bareTrue, 80)
  await sandbox.close()
  return result
}

/** `safe_read` of 10 KB through the pipeline, compared with `readFile` and the scrubber on the same text. */
export async function measureSafeRead(home: string): Promise<Comparison> {
  const workspace = join(realpathSync(home), 'read-workspace')
  mkdirSync(workspace)
  const text = Array.from(
    { length: 200 },
    (_, index) => `line ${index} of an ordinary source file, with words`,
  ).join('\n')
  writeFileSync(join(workspace, 'file.txt'), text.slice(0, 10_240))
  const runtime = await composeRuntime({
    env: { CONTEXTD_HOME: join(home, 'read-home') },
    cwd: workspace,
    log: () => {},
  })
  const tool = runtime.catalogue.find('safe_read')!
  const session = runtime.sessions.begin({ name: 'bench', version: '1', door: 'cli' })
  const call = {
    ...runtime.newCall({
      method: 'tool',
      session,
      client: { name: 'bench', version: '1', door: 'cli' },
      claims: {},
      tool: 'safe_read',
      signal: new AbortController().signal,
    }),
    principal: { agent: 'main', level: 'default' as const },
    grants: [{ kind: 'fs:read' as const, scope: '**' }],
  }
  const host = { call, scrub: (part: string) => runtime.scrub(part, session) } as unknown as Parameters<
    typeof tool.run
  >[1]
  const path = join(workspace, 'file.txt')
  const ours = async () => {
    for (let index = 0; index < 20; index++) await tool.run({ path: 'file.txt' }, host)
  }
  const theirs = async () => {
    for (let index = 0; index < 20; index++) await readFile(path, 'utf8')
  }
  const result = await inTurns(100, ours, theirs)
  await runtime.close()
  return { ours: result.ours / 20, theirs: result.theirs / 20, ratio: result.ratio }
}
