import { createScrubber, type Scrubber } from '@contextd/scrub'
import { defaultRules } from '../../packages/scrub/src/rules/index.ts'
import { adversarialTexts, firstLine } from './adversarial.ts'
import { isInstalled, type BenignText } from './benign.ts'
import { newer } from './kinds-newer.ts'
import { wellKnown } from './kinds.ts'

/** Named here so that both variants are measured with one interface. */
export const makeScrubber: (options?: { readonly decode?: boolean }) => Scrubber = createScrubber

const scope = { tenant: 'bench', session: 'bench' }

/** CPU time in milliseconds: a busy machine must not change what is measured. */
export function cpuMilliseconds(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

export interface SpeedTexts {
  /** One text of 10 MB, one byte a character. */
  readonly whole: string
  /** The same with characters beyond Latin-1 in it, as any large text has. */
  readonly wholeWide: string
  readonly pieces: readonly string[]
}

const pieceLength = 2048

export function speedTexts(benign: readonly BenignText[], megabytes: number): SpeedTexts {
  const length = megabytes * 1e6
  let mixed = ''
  // Taking every group in turn keeps the mix of languages whatever the length; made texts are denser than real ones.
  for (const { text } of inTurns(benign.filter(isInstalled))) {
    if (mixed.length >= length) break
    mixed += text
  }
  const wholeWide = `→${mixed}`.slice(0, length)
  const whole = Buffer.from(mixed.slice(0, length), 'latin1').toString('latin1')
  const pieces: string[] = []
  for (let at = 0; at < mixed.length && at < length; at += pieceLength) {
    // A copy, as an output of a tool is: a slice would keep the width of the whole text.
    pieces.push(Buffer.from(mixed.slice(at, at + pieceLength)).toString('utf8'))
  }
  return { whole, wholeWide, pieces }
}

function inTurns(benign: readonly BenignText[]): BenignText[] {
  const byGroup = new Map<string, BenignText[]>()
  for (const one of benign) byGroup.set(one.group, [...(byGroup.get(one.group) ?? []), one])
  const groups = [...byGroup.values()]
  const longest = Math.max(...groups.map((group) => group.length))
  return Array.from({ length: longest }, (_, index) =>
    groups.flatMap((group) => (group[index] === undefined ? [] : [group[index]])),
  ).flat()
}

/** MB/s of the best of some rounds, after one that warms up. */
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
  /** The slowest, worst first. */
  readonly slowest: readonly { readonly name: string; readonly milliseconds: number }[]
  /** Texts that were withheld because they took too long. */
  readonly withheld: readonly string[]
}

/** Only texts that look slow are measured again. */
const worthRepeating = 60

/** Tries one of `every` texts, until all are done or the CPU time is spent. */
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
    return makeScrubber().scrub(text, scope).text.startsWith(firstLine) ? undefined : 'the first line is gone'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Keywords of the rules, and those any rule for our kinds needs: prefixes of values, and their names. */
function keywordsToTry(): string[] {
  const words = [...wellKnown, ...newer].flatMap(([id, value, ...contexts]) =>
    contexts.filter((context) => !context.includes('§')).concat(/^[^{«]*/.exec(value)![0], id.split('-')[0]!),
  )
  const ofRules = defaultRules.flatMap(({ keywords }) => keywords)
  return [...new Set([...ofRules, ...words])].filter((word) => word.length >= 2)
}
