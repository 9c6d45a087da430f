/**
 * The program of a worker thread: checks large values with the same scrubber as the main thread. Tokens are numbered
 * there, where the registry is.
 */

import { constants, setPriority } from 'node:os'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'

import { batches } from '../../../core/batches.ts'
import type { PrivateContext } from '../../../core/ports.ts'
import { rulesFrom } from '../load-user-rules.ts'
import { maskPrivate } from '../private-context/mask.ts'
import type { ContextMatcher } from '../private-context/matcher.ts'
import { matcherOf, type PrivateSnapshot } from '../private-context/private-contexts.ts'
import { createScrubEngine } from '@contextd/scrub/internal/engine'
import type { FoundSecret, SessionTokens } from '@contextd/scrub/internal/session-tokens'
import { performCheck } from './perform-check.ts'
import type { CheckMessage, NumbersAnswer, WorkerMessage, WorkerSetup } from './worker-messages.ts'

/** Secrets the main thread numbers, or takes up, at a time: each costs it some microseconds of the others' time. */
const maxAtOnce = 32
/** Matchers that are kept. */
const maxMatchers = 8

lowerPriority()

const { deadlineMs, sources, answers, answered } = workerData as WorkerSetup
const port = parentPort
if (port === null) throw new Error('this is the program of a worker thread')
const say = (message: WorkerMessage): void => port.postMessage(message)

/** Asks, and blocks until the answer is there. */
function ask(session: string, numbers: readonly FoundSecret[]): readonly string[] {
  Atomics.store(answered, 0, 0)
  say({ session, numbers })
  Atomics.wait(answered, 0, 0)
  const answer = receiveMessageOnPort(answers)?.message as NumbersAnswer | undefined
  if (answer === undefined) throw new Error('the secrets were not numbered')
  if ('problem' in answer) throw new Error(answer.problem)
  return answer.tokens
}

const tokens: SessionTokens = {
  tokensFor(session, found) {
    const rules = new Map(found.map(({ value, rule }) => [value, rule]))
    const numbers = new Map<string, string>()
    const distinct = [...rules].map(([value, rule]) => ({ value, rule }))
    for (const batch of batches(distinct, maxAtOnce)) {
      const given = ask(session, batch)
      for (const [index, { value }] of batch.entries()) numbers.set(value, given[index]!)
    }
    return found.map(({ value }) => numbers.get(value)!)
  },
  valueOf: () => undefined,
  // They come with every check.
  newlyKnown: () => [],
  endSession: () => {},
}

let learned: FoundSecret[] = []
let isTaught = false

function report(): void {
  if (learned.length === 0) return
  say({ learned })
  learned = []
}

const rules = await rulesFrom(sources)
const engine = createScrubEngine({
  deadlineMs,
  tokens,
  ...(rules !== undefined && { ownRules: rules.find }),
  ...(rules?.unmask !== undefined && { unmask: rules.unmask }),
  onKnown(found) {
    if (isTaught) return
    learned.push(found)
    if (learned.length >= maxAtOnce) report()
  },
})

/** All of it: a text checked without some of the values would pass them on. */
function learn(news: readonly FoundSecret[]): void {
  isTaught = true
  engine.learn(news)
  isTaught = false
  prepareKnown()
}

function prepareKnown(): number {
  while (engine.prepareNext());
  return engine.knownCount()
}

/** On Linux that is this thread alone: where cores are few, the main thread goes first. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Forbidden here: the worker runs at the usual priority.
  }
}

const matchers = new Map<string, ContextMatcher>()

function matcherFor(session: string, { version, held }: PrivateSnapshot): ContextMatcher {
  const name = `${version} ${session}`
  let matcher = matchers.get(name)
  if (matcher === undefined) {
    matcher = matcherOf(held)
    if (matchers.size >= maxMatchers) matchers.clear()
    matchers.set(name, matcher)
  }
  return matcher
}

function maskerFor({ owner, privacy }: CheckMessage): Pick<PrivateContext, 'mask'> {
  if (privacy === undefined) return { mask: (text) => ({ text, findings: [] }) }
  const matcher = matcherFor(owner.session, privacy)
  return { mask: (text, _, reader) => maskPrivate(text, matcher, reader) }
}

port.on('message', (message: CheckMessage) => {
  try {
    learn(message.news)
    say({ prepared: true })
    const checks = { scrub: engine.scrub, privacy: maskerFor(message), prepareKnown }
    const { value, found, tokens } = performCheck(message.check, message.owner, checks)
    report()
    const isAnswer = ['spans', 'texts', 'known'].includes(message.check.kind)
    say({ done: { found, tokens, ...((isAnswer || found.length > 0) && { value }) } })
  } catch (error) {
    report()
    say({ failed: error instanceof Error ? error.message : String(error) })
  }
})
say({ ready: true })
