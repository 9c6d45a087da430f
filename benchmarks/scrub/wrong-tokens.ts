import { isLockFileText, type BenignText } from './benign.ts'
import { halfOf, type Half } from './case.ts'
import { makeScrubber } from './speed.ts'

export interface WrongToken {
  readonly text: BenignText
  readonly rule: string
  readonly masked: string
  readonly context: string
}

export interface WrongTokens {
  readonly megabytes: Readonly<Record<Half, number>>
  readonly tokens: Readonly<Record<Half, number>>
  readonly inLockFiles: Readonly<Record<Half, number>>
  readonly byGroup: ReadonlyMap<string, { tokens: number; megabytes: number }>
  /** Only for the seen half. */
  readonly seen: readonly WrongToken[]
}

const contextLength = 60

export function measureWrongTokens(texts: readonly BenignText[]): WrongTokens {
  const megabytes = { seen: 0, unseen: 0 }
  const tokens = { seen: 0, unseen: 0 }
  const inLockFiles = { seen: 0, unseen: 0 }
  const byGroup = new Map<string, { tokens: number; megabytes: number }>()
  const seen: WrongToken[] = []
  for (const one of texts) {
    const half = halfOf(`benign/${one.name}`)
    const { findings } = makeScrubber().scrub(one.text, { session: one.name })
    megabytes[half] += one.text.length / 1e6
    tokens[half] += findings.length
    const group = byGroup.get(one.group) ?? { tokens: 0, megabytes: 0 }
    group.tokens += findings.length
    group.megabytes += one.text.length / 1e6
    byGroup.set(one.group, group)
    if (isLockFileText(one)) inLockFiles[half] += findings.length
    if (half === 'unseen') continue
    for (const { rule, start, end } of findings) {
      seen.push({
        text: one,
        rule,
        masked: one.text.slice(start, end),
        context: one.text.slice(Math.max(0, start - contextLength), end + contextLength),
      })
    }
  }
  return { megabytes, tokens, inLockFiles, byGroup, seen }
}
