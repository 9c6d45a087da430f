import { caseClasses, halfOf, type Case, type CaseClass, type Half } from './case.ts'
import { scoreCase } from './score.ts'
import { makeScrubber } from './speed.ts'

export interface Share {
  readonly hit: number
  readonly of: number
}

export interface Miss {
  readonly case: Case
  readonly what: 'secret left' | 'look-alike taken' | 'withheld'
  readonly form: string
  readonly scrubbed: string
}

export interface Recall {
  readonly gone: Readonly<Record<CaseClass, Readonly<Record<Half, Share>>>>
  readonly kept: Readonly<Record<Half, Share>>
  /** Only for the seen half: the other half must not influence the rules. */
  readonly misses: readonly Miss[]
}

const none: Share = { hit: 0, of: 0 }
const plus = (share: Share, hit: boolean): Share => ({ hit: share.hit + Number(hit), of: share.of + 1 })

export function measureRecall(cases: readonly Case[]): Recall {
  const gone = Object.fromEntries(caseClasses.map((name) => [name, { seen: none, unseen: none }])) as Record<
    CaseClass,
    Record<Half, Share>
  >
  const kept: Record<Half, Share> = { seen: none, unseen: none }
  const misses: Miss[] = []
  for (const one of cases) {
    const half = halfOf(one.unit)
    const scrubbed = scrubAll(one)
    // A withheld text leaks nothing but is useless, so it counts as missed.
    const score = scoreCase(one, scrubbed ?? one.text)
    const got = scrubbed ?? 'nothing: withheld'
    for (const [index, hit] of score.gone.entries()) {
      gone[one.class][half] = plus(gone[one.class][half], hit)
      const form = one.planted[index]!.map(({ start, end }) => one.text.slice(start, end)).join(' … ')
      if (!hit && half === 'seen') {
        misses.push({
          case: one,
          what: scrubbed === undefined ? 'withheld' : 'secret left',
          form,
          scrubbed: got,
        })
      }
    }
    for (const [index, hit] of score.kept.entries()) {
      kept[half] = plus(kept[half], hit)
      const { start, end } = one.kept[index]!
      const form = one.text.slice(start, end)
      if (!hit && half === 'seen') misses.push({ case: one, what: 'look-alike taken', form, scrubbed: got })
    }
  }
  return { gone, kept, misses }
}

/** Uses a fresh scrubber, so that values learned from other texts do not help. */
function scrubAll({ id, before, text }: Case): string | undefined {
  const scrubber = makeScrubber()
  const scope = { tenant: 'bench', session: id }
  try {
    for (const earlier of before) scrubber.scrub(earlier, scope)
    return scrubber.scrub(text, scope).text
  } catch {
    return undefined
  }
}
