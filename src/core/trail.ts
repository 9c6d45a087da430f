import type { Principal } from './call.ts'

export interface FindingCount {
  /** C1: inside the tool host; C2: in the pipeline. */
  readonly layer: 'C1' | 'C2'
  readonly rule: string
  /** Where it was, such as `content[0].text` or `structured.data.env`; never the content. */
  readonly place?: string
  readonly count: number
}

/**
 * What the stages learned, for the audit record. The only mutable part of a call, because audit is the outermost stage
 * and must see it even if a stage throws.
 */
export interface Trail {
  principal?: Principal
  decision?: 'allow' | 'deny'
  /** Path of the rule that decided, such as `agents.frontend.deny.tools.postgres[0]`. */
  rule?: string
  /** The target server and tool of a gateway tool call. */
  target?: { server: string; tool: string }
  tokens?: number
  truncated?: boolean
  findings: FindingCount[]
  /** Notes other than refusals, such as a fixed argument that replaced the caller's. */
  notes: string[]
}

/** `notes` are in the record of every call, whatever its outcome. */
export function newTrail(notes: readonly string[] = []): Trail {
  return { findings: [], notes: [...notes] }
}

/** No one reads more of them. */
const maxNotes = 100

/** Ignores duplicates. */
export function addNotes({ notes }: Trail, more: readonly string[]): void {
  for (const note of more) {
    if (notes.length < maxNotes && !notes.includes(note)) notes.push(note)
  }
}

/** Max places per record; further findings are counted by rule only. */
const maxPlaces = 50

export function noteFinding(
  { findings }: Pick<Trail, 'findings'>,
  finding: Omit<FindingCount, 'count'>,
  count = 1,
): void {
  const isSame = (other: FindingCount, place: string | undefined): boolean =>
    other.layer === finding.layer && other.rule === finding.rule && other.place === place
  let at = findings.findIndex((other) => isSame(other, finding.place))
  const hasRoom = findings.length < maxPlaces
  if (at === -1 && !hasRoom) at = findings.findIndex((other) => isSame(other, undefined))
  if (at !== -1) {
    const known = findings[at]!
    findings[at] = { ...known, count: known.count + count }
  } else {
    const { layer, rule } = finding
    findings.push({ ...(hasRoom ? finding : { layer, rule }), count })
  }
}
