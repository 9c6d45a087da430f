import type { Principal } from './call.ts'

export interface FindingCount {
  /** C1: inside the tool host; C2: in the pipeline. */
  readonly layer: 'C1' | 'C2'
  readonly rule: string
  /** Where it stood, such as `content[0].text` or `structured.data.env`; never what stood there. */
  readonly place?: string
  readonly count: number
}

/**
 * What the stages learned on the way, for the audit record. The one thing on a call that is written to,
 * because audit stands outermost and must see it also when a stage throws.
 */
export interface Trail {
  principal?: Principal
  decision?: 'allow' | 'deny'
  /** Path of the rule that decided, such as `agents.frontend.deny.tools.postgres[0]`. */
  rule?: string
  /** The upstream server and tool really meant, where a gateway tool was called. */
  target?: { server: string; tool: string }
  tokens?: number
  truncated?: boolean
  findings: FindingCount[]
  /** Things worth keeping that are no refusal, such as a fixed argument that replaced the caller's. */
  notes: string[]
}

/** `notes` stand in the record of every call, whatever happens to it. */
export function newTrail(notes: readonly string[] = []): Trail {
  return { findings: [], notes: [...notes] }
}

/** Nobody reads more of them. */
const maxNotes = 100

/** The same twice says no more than once. */
export function addNotes({ notes }: Trail, more: readonly string[]): void {
  for (const note of more) {
    if (notes.length < maxNotes && !notes.includes(note)) notes.push(note)
  }
}

/** A record has room for so many places; what is found in more of them is counted by its rule. */
const maxPlaces = 50

export function noteFinding(
  { findings }: Pick<Trail, 'findings'>,
  found: Omit<FindingCount, 'count'>,
  count = 1,
): void {
  const isSame = (other: FindingCount, place: string | undefined): boolean =>
    other.layer === found.layer && other.rule === found.rule && other.place === place
  let at = findings.findIndex((other) => isSame(other, found.place))
  const hasRoom = findings.length < maxPlaces
  if (at === -1 && !hasRoom) at = findings.findIndex((other) => isSame(other, undefined))
  if (at !== -1) {
    const known = findings[at]!
    findings[at] = { ...known, count: known.count + count }
  } else {
    const { layer, rule } = found
    findings.push({ ...(hasRoom ? found : { layer, rule }), count })
  }
}
