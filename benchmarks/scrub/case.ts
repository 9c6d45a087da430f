/** Labelled texts: where their secrets are, and what must not be masked. */

export const caseClasses = [
  'well-known',
  'newer',
  'carriers',
  'named-carriers',
  'encodings-common',
  'encodings-tools',
  'evasions',
  'keys-whole',
  'keys-cut',
  'tool-outputs',
  'weak',
] as const
export type CaseClass = (typeof caseClasses)[number]

export interface Stretch {
  readonly start: number
  readonly end: number
}

/** One secret as it appears in the text: several ranges if a tool prints it in columns or lines. */
export type Planted = readonly Stretch[]

export interface Labelled {
  readonly text: string
  readonly planted: readonly Planted[]
  /** Look-alikes that a careless scrubber mistakes for a secret. */
  readonly kept: readonly Stretch[]
}

export interface Case extends Labelled {
  readonly class: CaseClass
  /** The tested property, such as a kind or a carrier; all its variants are in the same half. */
  readonly unit: string
  readonly id: string
  /** Texts that the session has seen before. */
  readonly before: readonly string[]
}

/** Rules may be written with knowledge of misses in the `seen` half, and are measured on the other. */
export type Half = 'seen' | 'unseen'

export function halfOf(unit: string): Half {
  return (hashOf(unit) & 1) === 0 ? 'seen' : 'unseen'
}

/** Seeds and halves depend only on names, so that a new case does not affect others. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Parses a text with marks: `«a secret»`, `‹a look-alike›`. */
export function readMarks(marked: string): Labelled {
  const planted: Planted[] = []
  const kept: Stretch[] = []
  let text = ''
  let secretFrom = -1
  let keptFrom = -1
  for (const part of marked.split(/([«»‹›])/)) {
    if (part === '«') secretFrom = text.length
    else if (part === '»') planted.push([{ start: secretFrom, end: text.length }])
    else if (part === '‹') keptFrom = text.length
    else if (part === '›') kept.push({ start: keptFrom, end: text.length })
    else text += part
  }
  return { text, planted, kept }
}

/** Joins all marked ranges into one secret. */
export function asOneSecret({ text, planted, kept }: Labelled): Labelled {
  return { text, planted: planted.length === 0 ? [] : [planted.flat()], kept }
}

export function labelledCase(
  { class: name, unit, variant, before = [] }: CaseName,
  { text, planted, kept }: Labelled,
): Case {
  return {
    class: name,
    unit: `${name}/${unit}`,
    id: `${name}/${unit}/${variant}`,
    before,
    text,
    planted,
    kept,
  }
}

export interface CaseName {
  readonly class: CaseClass
  readonly unit: string
  readonly variant: string
  readonly before?: readonly string[]
}
