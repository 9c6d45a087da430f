// What the model door adds to a request, compared with a bare pass-through on node:http, all within one run.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { median } from '../support/statistics.ts'
import { conversationOf } from './conversation.ts'
import { measureToolUse } from './tool-use.ts'
import { openRoutes, type Pace, type Route, type Routes, type Sent } from './routes.ts'

type Say = (line: string) => void

/** About 200,000 tokens. */
const longHistory = 800_000
/** What Claude Code sends at the beginning of a session. */
const shortHistory = 47_000

interface Added {
  readonly ours: number
  readonly theirs: number
  /** The median of the differences between neighbouring requests, which share the load of the machine. */
  readonly added: number
  /** CPU time per request. */
  readonly cpu: { readonly ours: number; readonly theirs: number }
}

interface Measurement {
  readonly historyBytes: number
  readonly rounds: number
  readonly pace?: Pace
  readonly withSecret?: boolean
  /** Before each round, another session sends a message with a new secret. */
  readonly afterAnother?: boolean
  readonly timeOf: (sent: Sent) => number
}

/** Each round sends one more message; both routes get the same bytes, alternately. */
async function measure({ bare, door }: Routes, measurement: Measurement): Promise<Added> {
  const { historyBytes, rounds, pace, withSecret = false, afterAnother = false, timeOf } = measurement
  const [session, otherSession] = [randomUUID(), randomUUID()]
  const [conversation, other] = [conversationOf(historyBytes), conversationOf(0)]
  const pairs: { ours: number; theirs: number }[] = []
  const used = { ours: 0, theirs: 0 }
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const body = conversation.next({ stream: pace !== undefined, withSecret })
    if (afterAnother) await door.send({ body: other.next({ withSecret: true }), session: otherSession })
    const time = async (route: Route): Promise<number> => {
      await setTimeout(pauseMs)
      return timeOf(await route.send({ body, session, pace }))
    }
    if (round === warmUp) Object.assign(used, { ours: door.cpuMs(), theirs: bare.cpuMs() })
    const isOursFirst = round % 2 === 0
    const first = await time(isOursFirst ? door : bare)
    const second = await time(isOursFirst ? bare : door)
    const [ours, theirs] = isOursFirst ? [first, second] : [second, first]
    if (round >= warmUp) pairs.push({ ours, theirs })
  }
  return {
    ours: median(pairs.map(({ ours }) => ours)),
    theirs: median(pairs.map(({ theirs }) => theirs)),
    added: median(pairs.map(({ ours, theirs }) => ours - theirs)),
    cpu: { ours: (door.cpuMs() - used.ours) / rounds, theirs: (bare.cpuMs() - used.theirs) / rounds },
  }
}

const warmUp = 5
/** A client runs a tool between two requests. Records that contextd writes after a response do not delay it. */
const pauseMs = 10

export async function reportModelDoor(home: string, say: Say): Promise<void> {
  const routes = await openRoutes(join(home, 'model-door'))
  const row = (what: string, { ours, theirs, added, cpu }: Added, target: string): void => {
    const times = [ours, theirs, added].map((ms) => `${ms.toFixed(2)} ms`).join(' | ')
    say(`| ${what} | ${times} | ${target} | ${cpu.ours.toFixed(1)} ms, ${cpu.theirs.toFixed(1)} ms |`)
  }
  try {
    say(
      '| the model door, p50 | contextd | bare pass-through on node:http | added | target: at most | CPU of each |',
    )
    say('|---|---|---|---|---|---|')
    const whole = { historyBytes: longHistory, rounds: 60, timeOf: ({ endMs }: Sent) => endMs }
    row(
      'A request with 200,000 tokens of known history and a new message',
      await measure(routes, whole),
      '10 ms',
    )
    const withNewSecret = { ...whole, rounds: 20, withSecret: true }
    row('The same where the new message holds a new secret', await measure(routes, withNewSecret), '10 ms')
    const afterOtherSession = { ...whole, rounds: 20, afterAnother: true }
    row('The same after another session read a new secret', await measure(routes, afterOtherSession), '10 ms')
    const first = {
      historyBytes: shortHistory,
      rounds: 200,
      pace: { deltas: 20, pauseMs: 0 },
      timeOf: ({ firstTokenMs }: Sent) => firstTokenMs,
    }
    row('Time to the first token of a stream, 47 KB of known history', await measure(routes, first), '2 ms')
    say('')
    await reportStreams(routes, say)
  } finally {
    await routes.stop()
  }
  say('')
  await reportToolUse(join(home, 'tool-use'), say)
}

async function reportToolUse(home: string, say: Say): Promise<void> {
  say(
    '| hooks for one use of a tool of Claude Code, while contextd runs | hooks that scrub | with the model door | ratio | CPU of each |',
  )
  say('|---|---|---|---|---|')
  for (const { what, time, cpu } of await measureToolUse(home, 41)) {
    const times = `${time.theirs.toFixed(0)} ms | ${time.ours.toFixed(0)} ms | ${time.ratio.toFixed(2)}`
    say(`| ${what} | ${times} | ${cpu.hooks.toFixed(0)} ms, ${cpu.door.toFixed(0)} ms |`)
  }
}

const [streams, seconds] = [50, 35]
/** The first streams fill caches and buffers. */
const settledAfter = 10
const sampleEvery = 5
/** Each stream takes about four seconds, so that all of them are open most of the time. */
const longStream: Pace = { deltas: 80, pauseMs: 50 }

async function reportStreams({ bare, door }: Routes, say: Say): Promise<void> {
  say(`| ${streams} streams at once for ${seconds} s | contextd | bare pass-through on node:http | target |`)
  say('|---|---|---|---|')
  const [ours, theirs] = [await endure(door), await endure(bare)]
  say(`| Streams, and how many were open on average | ${streamsOf(ours)} | ${streamsOf(theirs)} | – |`)
  say(`| Errors | ${ours.errors} | ${theirs.errors} | 0 |`)
  const what = `Memory (RSS) every ${sampleEvery} s after the first ${settledAfter} s: maximum, slope`
  say(`| ${what} | ${memoryOf(ours)} | ${memoryOf(theirs)} | flat |`)
}

interface Endured {
  readonly streams: number
  /** Average number of open streams. */
  readonly open: number
  readonly errors: number
  /** Samples in MB. */
  readonly rss: readonly number[]
}

function streamsOf({ streams, open }: Endured): string {
  return `${streams}, ${open.toFixed(0)}`
}

function memoryOf({ rss }: Endured): string {
  const perMinute = (slopeOf(rss) * 60) / sampleEvery
  return `${Math.max(...rss).toFixed(0)} MB, ${perMinute < 0 ? '−' : '+'}${Math.abs(perMinute).toFixed(0)} MB per minute`
}

/** Average increase from one value to the next, by least squares. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const rise = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  return rise / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}

/** Each stream is followed by the next message of its conversation. */
async function endure(route: Route): Promise<Endured> {
  const begin = performance.now()
  const end = begin + seconds * 1000
  const rss: number[] = []
  const sampling = setInterval(() => {
    if (performance.now() - begin >= settledAfter * 1000) rss.push(route.rss())
  }, sampleEvery * 1000)
  let [sent, errors, openMs] = [0, 0, 0]
  const streamOn = async (): Promise<void> => {
    const [conversation, session] = [conversationOf(shortHistory), randomUUID()]
    while (performance.now() < end) {
      const body = conversation.next({ stream: true })
      try {
        const { firstTokenMs, endMs } = await route.send({ body, session, pace: longStream })
        openMs += endMs - firstTokenMs
        sent += 1
      } catch {
        errors += 1
      }
    }
  }
  await Promise.all(Array.from({ length: streams }, streamOn))
  clearInterval(sampling)
  return { streams: sent, open: openMs / (performance.now() - begin), errors, rss }
}
