/**
 * How far a memory can be trusted: the share of its evidence that speaks for it. What its author thought of it counts as
 * some evidence from the start; after that only feedback moves it. To be found or read is no evidence.
 */

import type { MemoryOutcome } from './memory.ts'

export interface Evidence {
  readonly helped: number
  readonly misled: number
}

export interface ConfidenceVerdict {
  readonly helpful: boolean
  /** How the task ended in which the memory was used. */
  readonly outcome?: MemoryOutcome | undefined
}

/** What an author knows weighs as much as so many who used the memory. */
const priorWeight = 5
const usualPrior = 0.8
/** What an outcome adds to a verdict that it bears out. A task can fail in spite of good advice, so it never turns one round. */
const outcomeWeight = 0.5

export function priorEvidence(confidence: number = usualPrior): Evidence {
  const helped = confidence * priorWeight
  return { helped, misled: priorWeight - helped }
}

export function confidenceOf({ helped, misled }: Evidence): number {
  const all = helped + misled
  return all > 0 ? helped / all : 0.5
}

/** What one verdict says. */
export function evidenceOf({ helpful, outcome }: ConfidenceVerdict): Evidence {
  const isBorneOut = outcome === (helpful ? 'success' : 'failure')
  const weight = 1 + (isBorneOut ? outcomeWeight : 0)
  return helpful ? { helped: weight, misled: 0 } : { helped: 0, misled: weight }
}

export function addEvidence(...parts: readonly Evidence[]): Evidence {
  return parts.reduce(
    (sum, { helped, misled }) => ({ helped: sum.helped + helped, misled: sum.misled + misled }),
    { helped: 0, misled: 0 },
  )
}
