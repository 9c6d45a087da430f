import { createScrubber, type Scrubber } from '@contextd/scrub'
import { defaultRules } from '../../packages/scrub/src/rules/index.ts'
import { adversarialTexts, firstLine } from './adversarial.ts'
import { isInstalled, type BenignText } from './benign.ts'
import { newer } from './kinds-newer.ts'
import { wellKnown } from './kinds.ts'

/** Declared here so that both variants are measured through the same interface. */
export const makeScrubber: (options?: { readonly decode?: boolean }) => Scrubber = createScrubber

const scope = { tenant: 'bench', session: 'bench' }

/** CPU time in milliseconds, which a busy machine does not affect. */
export function cpuMilliseconds(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

export interface SpeedTexts {
  /** One text of 10 MB, with one byte per character. */
  readonly whole: string
  /** The same with characters beyond Latin-1, like most large texts. */
  readonly wholeWide: string
  readonly pieces: readonly string[]
}

const pieceLength = 2048

export function speedTexts(benign: readonly BenignText[], megabytes: number): SpeedTexts {
  const length = megabytes * 1e6
  let mixed = ''
  // Groups alternate, so that the mix of languages does not depend on the length; generated texts are denser than real
  // ones.
  for (const { text } of inTurns(benign.filter(isInstalled))) {
    if (mixed.length >= length) break
    mixed += text
  }
  const wholeWide = `→${mixed}`.slice(0, length)
  const whole = Buffer.from(mixed.slice(0, length), 'latin1').toString('latin1')
  const pieces: string[] = []
  for (let at = 0; at < mixed.length && at < length; at += pieceLength) {
    // A copy, like the output of a tool: a slice would keep the width of the whole text.
    pieces.push(Buffer.from(mixed.slice(at, at + pieceLength)).toString('utf8'))
  }
  return { whole, wholeWide, pieces }
}

function inTurns(benign: readonly BenignText[]): BenignText[] {
  const byGroup = new Map<string, BenignText[]>()
  for (const one of benign) byGroup.set(one.group, [...(byGroup.get(one.group) ?? []), one])
  const groups = [...byGroup.values()]
  const maxGroupSize = Math.max(...groups.map((group) => group.length))
  return Array.from({ length: maxGroupSize }, (_, index) =>
    groups.flatMap((group) => (group[index] === undefined ? [] : [group[index]])),
  ).flat()
}

/** MB/s of the best round, after a warm-up round. */
export function scrubSpeed(texts: readonly string[], decode: boolean, rounds: number): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const round = (): number => {
    const scrubber = makeScrubber({ decode })
    return cpuMilliseconds(() => {
      for (const text of texts) scrubber.scrub(text, scope)
    })
  }
  round()
  return characters / 1000 / Math.min(...Array.from({ length: rounds }, round))
}

export interface Worst {
  readonly texts: number
  /** The slowest texts, in descending order. */
  readonly slowest: readonly { readonly name: string; readonly milliseconds: number }[]
  /** Texts withheld because they took too long. */
  readonly withheld: readonly string[]
}

/** Only slow texts are measured again. */
const worthRepeating = 60

/** Tries every nth text until all are done or the CPU time is used up. */
export function worstAdversarial(size: number, every: number, cpuSeconds: number): Worst {
  const started = process.cpuUsage().user
  const slowest: { name: string; milliseconds: number }[] = []
  const withheld: string[] = []
  let texts = 0
  let index = 0
  for (const { name, text } of adversarialTexts(keywordsToTry(), size)) {
    index += 1
    if (index % every !== 0) continue
    if (process.cpuUsage().user - started > cpuSeconds * 1e6) break
    texts += 1
    let reason: string | undefined
    const once = (): number =>
      cpuMilliseconds(() => {
        reason = whyWithheld(text)
      })
    let milliseconds = once()
    if (milliseconds > worthRepeating) milliseconds = Math.min(milliseconds, once(), once())
    if (reason !== undefined) withheld.push(`${name}: ${reason}`)
    slowest.push({ name, milliseconds })
  }
  slowest.sort((a, b) => b.milliseconds - a.milliseconds)
  return { texts, slowest: slowest.slice(0, 20), withheld }
}

function whyWithheld(text: string): string | undefined {
  try {
    return makeScrubber().scrub(text, scope).text.startsWith(firstLine)
      ? undefined
      : 'the first line is missing'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Keywords of the rules, and those that any rule for our kinds needs: prefixes of values, and their names. */
function keywordsToTry(): string[] {
  const words = [...wellKnown, ...newer].flatMap(([id, value, ...contexts]) =>
    contexts.filter((context) => !context.includes('§')).concat(/^[^{«]*/.exec(value)![0], id.split('-')[0]!),
  )
  const ofRules = defaultRules.flatMap(({ keywords }) => keywords)
  return [...new Set([...ofRules, ...words])].filter((word) => word.length >= 2)
}
