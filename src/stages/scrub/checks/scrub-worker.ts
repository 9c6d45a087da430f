/**
 * The program of a worker thread: checks large values with the same scrubber as the main thread. Tokens are numbered
 * by the main thread, which has the registry.
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

/** Max secrets that the main thread numbers or learns at a time: each takes some microseconds from other work. */
const maxAtOnce = 32
/** Max cached matchers. */
const maxMatchers = 8

lowerPriority()

const { deadlineMs, sources, answers, answerFlag } = workerData as WorkerSetup
const port = parentPort
if (port === null) throw new Error('this is the program of a worker thread')
const post = (message: WorkerMessage): void => port.postMessage(message)

/** Sends a request, and blocks until the response arrives. */
function requestTokens(session: string, numbers: readonly FoundSecret[]): readonly string[] {
  Atomics.store(answerFlag, 0, 0)
  post({ session, numbers })
  Atomics.wait(answerFlag, 0, 0)
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
      const issued = requestTokens(session, batch)
      for (const [index, { value }] of batch.entries()) numbers.set(value, issued[index]!)
    }
    return found.map(({ value }) => numbers.get(value)!)
  },
  valueOf: () => undefined,
  // Included in every check message.
  newlyKnown: () => [],
  endSession: () => {},
}

let learned: FoundSecret[] = []
let isLearning = false

function report(): void {
  if (learned.length === 0) return
  post({ learned })
  learned = []
}

const rules = await rulesFrom(sources)
const engine = createScrubEngine({
  deadlineMs,
  tokens,
  ...(rules !== undefined && { ownRules: rules.find }),
  ...(rules?.unmask !== undefined && { unmask: rules.unmask }),
  onKnown(found) {
    if (isLearning) return
    learned.push(found)
    if (learned.length >= maxAtOnce) report()
  },
})

/** Learns all values: a text checked without some of them would leak these. */
function learn(news: readonly FoundSecret[]): void {
  isLearning = true
  engine.learn(news)
  isLearning = false
  prepareKnown()
}

function prepareKnown(): number {
  while (engine.prepareNext());
  return engine.knownCount()
}

/** On Linux, this affects only this thread, so that the main thread takes precedence on few cores. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not permitted: the worker runs at normal priority.
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
    post({ prepared: true })
    const checks = { scrub: engine.scrub, privacy: maskerFor(message), prepareKnown }
    const { value, found, tokens } = performCheck(message.check, message.owner, checks)
    report()
    const isAnswer = ['spans', 'texts', 'known'].includes(message.check.kind)
    post({ done: { found, tokens, ...((isAnswer || found.length > 0) && { value }) } })
  } catch (error) {
    report()
    post({ failed: error instanceof Error ? error.message : String(error) })
  }
})
post({ ready: true })
