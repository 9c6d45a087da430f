// The effect of a hostile caller on another one, which calls a small tool at a steady pace.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { makePlace, startDaemon, type Place } from '../control/daemons.ts'
import { toolsClient, type ToolsClient } from '../control/unary.ts'

type Say = (line: string) => void

interface Attack {
  readonly name: string
  readonly tool: string
  readonly arguments: Record<string, unknown>
  /** Calls in flight at any time. */
  readonly atOnce: number
}

const flood = (unit: string, bytes: number) => ({
  tool: 'execute_tool',
  arguments: { server: 'flood', tool: 'flood', args: { unit, bytes } },
})

const attacks: readonly Attack[] = [
  {
    name: '12 MB of `password="` from a server, again and again',
    ...flood('password="', 12_000_000),
    atOnce: 1,
  },
  { name: '1 MB of `password="`, 20 at once', ...flood('password="', 1_000_000), atOnce: 20 },
  {
    name: '1 MB of ordinary text, 20 at once',
    ...flood('an ordinary line of text\n', 1_000_000),
    atOnce: 20,
  },
  {
    name: 'A command that writes 50 MB',
    tool: 'safe_bash',
    arguments: { command: "yes 'password=\"' | head -c 50000000" },
    atOnce: 2,
  },
  {
    name: 'A `pattern` that backtracks, in the schema of a server',
    tool: 'execute_tool',
    arguments: { server: 'flood', tool: 'pattern', args: { text: `${'a'.repeat(28)}!` } },
    atOnce: 1,
  },
]

const secondsEach = 8
const pauseMs = 5

/** Returns the milliseconds of each call; the next one follows after a pause, like an agent's. */
async function callAtPace(client: ToolsClient, seconds: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const begin = performance.now()
    await client.call()
    times.push(performance.now() - begin)
    await sleep(pauseMs)
  }
  return times
}

/** Calls again as soon as it has any response; returns the number of responses. */
function attackUntil(socket: string, { tool, arguments: args, atOnce }: Attack, signal: AbortSignal) {
  let answered = 0
  const one = async (): Promise<void> => {
    const client = toolsClient(socket, { name: tool, arguments: args as never })
    while (!signal.aborted) {
      await client.call().catch(() => sleep(10))
      answered += 1
    }
    client.close()
  }
  const all = Promise.all(Array.from({ length: atOnce }, one))
  return { answered: () => answered, ended: all }
}

function quantile(times: readonly number[], share: number): number {
  return [...times].sort((one, other) => one - other)[Math.floor(share * (times.length - 1))]!
}

export async function reportIsolation(home: string, say: Say): Promise<void> {
  const place = makePlace(join(home, 'isolation'))
  prepare(place)
  const daemon = await startDaemon(place)
  const quiet = toolsClient(daemon.socket)
  try {
    await callAtPace(quiet, 3)
    say(
      '| one caller, during an attack by another | p50 | p99 | p99 to the quiet p99 | target: at most | answers to the other |',
    )
    say('|---|---|---|---|---|---|')
    const alone = await callAtPace(quiet, secondsEach)
    const base = quantile(alone, 0.99)
    say(`| Nothing else | ${quantile(alone, 0.5).toFixed(2)} ms | ${base.toFixed(2)} ms | 1.00 | – | – |`)
    for (const attack of attacks) {
      const stop = new AbortController()
      const running = attackUntil(daemon.socket, attack, stop.signal)
      const times = await callAtPace(quiet, secondsEach)
      const answered = running.answered()
      stop.abort()
      await running.ended
      const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
      say(
        `| ${attack.name} | ${p50.toFixed(2)} ms | ${p99.toFixed(2)} ms | ${(p99 / base).toFixed(2)} | 3 | ${answered} |`,
      )
    }
  } finally {
    quiet.close()
    await daemon.stop()
  }
}

function prepare({ home }: Place): void {
  const config = join(home, 'config')
  mkdirSync(config, { recursive: true })
  const flood = { command: process.execPath, args: [resolve('benchmarks/isolation/flood-server.mjs')] }
  writeFileSync(join(config, 'servers.json'), JSON.stringify({ mcpServers: { flood } }))
  const everything = { allow: { servers: ['*'], capabilities: ['shell:exec', 'fs:read', 'fs:write'] } }
  writeFileSync(
    join(config, 'rules.json'),
    JSON.stringify({
      agents: { default: everything, main: everything },
      defaults: { deny_on_missing_agent: false },
    }),
  )
}
