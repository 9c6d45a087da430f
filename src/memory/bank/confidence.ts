/**
 * How far a memory can be trusted: the share of its evidence that supports it. The author's own confidence is the
 * initial evidence; afterwards only feedback changes it. Being found or read is not evidence.
 */

import type { MemoryOutcome } from './memory.ts'

export interface Evidence {
  readonly helped: number
  readonly misled: number
}

export interface ConfidenceVerdict {
  readonly helpful: boolean
  /** How the task in which the memory was used ended. */
  readonly outcome?: MemoryOutcome | undefined
}

/** The author's confidence weighs as much as this many verdicts. */
const priorWeight = 5
const defaultPrior = 0.8
/**
 * Extra weight of a verdict that the outcome confirms. A task can fail despite good advice, so an outcome never
 * reverses a verdict.
 */
const outcomeWeight = 0.5

export function priorEvidence(confidence: number = defaultPrior): Evidence {
  const helped = confidence * priorWeight
  return { helped, misled: priorWeight - helped }
}

export function confidenceOf({ helped, misled }: Evidence): number {
  const all = helped + misled
  return all > 0 ? helped / all : 0.5
}

/** The evidence of one verdict. */
export function evidenceOf({ helpful, outcome }: ConfidenceVerdict): Evidence {
  const isConfirmed = outcome === (helpful ? 'success' : 'failure')
  const weight = 1 + (isConfirmed ? outcomeWeight : 0)
  return helpful ? { helped: weight, misled: 0 } : { helped: 0, misled: weight }
}

export function addEvidence(...parts: readonly Evidence[]): Evidence {
  return parts.reduce(
    (sum, { helped, misled }) => ({ helped: sum.helped + helped, misled: sum.misled + misled }),
    { helped: 0, misled: 0 },
  )
}
