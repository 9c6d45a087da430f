/** Applies the repairs of findings to the text of files. Pure. */

import type { Json } from '@contextd/shared/json/value'
import { parseJson } from '@contextd/shared/json/json-source'
import { reviseJson } from '@contextd/shared/json/revise-json'
import type { LintFinding, JsonRepair, Repair, TextRepair } from './finding.ts'
import { groupBy } from './group-by.ts'

export interface Repaired {
  /** New text of the changed files. */
  readonly texts: ReadonlyMap<string, string>
  /** The findings whose repairs were applied. */
  readonly repaired: readonly LintFinding[]
}

/**
 * `textOf`: the text of a file as it was linted; undefined if it must not be changed. A finding is repaired completely or,
 * if one of its repairs conflicts with earlier ones, not at all: the next run finds it again.
 */
export function repair(
  findings: readonly LintFinding[],
  textOf: (file: string) => string | undefined,
): Repaired {
  const drafts = new Map<string, Draft>()
  const repaired = findings.filter(({ repairs = [] }) => {
    const own = new Map<string, Draft>()
    for (const [file, all] of groupBy(repairs, (one) => one.file)) {
      const draft = drafts.get(file) ?? newDraft(textOf(file))
      const next = draft && withRepairs(draft, all)
      if (next === undefined) return false
      own.set(file, next)
    }
    for (const [file, draft] of own) drafts.set(file, draft)
    return own.size > 0
  })
  const texts = new Map<string, string>()
  for (const [file, draft] of drafts) {
    const text = textFrom(draft)
    if (text !== draft.text) texts.set(file, text)
  }
  return { texts, repaired }
}

/** Repairs of one kind only per file and run: offsets are invalid after a JSON change. */
interface Draft {
  readonly text: string
  /** Sorted by offset. */
  readonly edits: readonly TextRepair[]
  readonly value?: Json
  readonly changes: number
}

/** Each change traverses the whole file; the rest is left for the next run. */
const maxChanges = 200

function newDraft(text: string | undefined): Draft | undefined {
  return text === undefined ? undefined : { text, edits: [], changes: 0 }
}

function withRepairs(draft: Draft, repairs: readonly Repair[]): Draft | undefined {
  const edits = repairs.filter((one) => one.kind === 'text')
  const changes = repairs.filter((one) => one.kind === 'json')
  if (changes.length === 0) return withEdits(draft, edits)
  return edits.length > 0
    ? undefined
    : changes.reduce<Draft | undefined>((now, one) => now && withChange(now, one), draft)
}

function withEdits(draft: Draft, added: readonly TextRepair[]): Draft | undefined {
  const { text, value } = draft
  const isApplicable = ({ start, end, was }: TextRepair): boolean =>
    start >= 0 &&
    start <= end &&
    end <= text.length &&
    (was ?? text.slice(start, end)) === text.slice(start, end)
  if (value !== undefined || !added.every(isApplicable)) return undefined
  const edits: TextRepair[] = []
  for (const edit of [...draft.edits, ...added].sort((one, other) => one.start - other.start)) {
    const last = edits.at(-1)
    // Two findings may request the same edit.
    if (last !== undefined && isSame(edit, last)) continue
    if (last !== undefined && overlap(edit, last)) return undefined
    edits.push(edit)
  }
  return { ...draft, edits }
}

function isSame(one: TextRepair, other: TextRepair): boolean {
  return one.start === other.start && one.end === other.end && one.text === other.text
}

function overlap(one: TextRepair, other: TextRepair): boolean {
  return one.start === other.start || (one.start < other.end && other.start < one.end)
}

function withChange(draft: Draft, { change }: JsonRepair): Draft | undefined {
  const { text, edits, changes } = draft
  const isFull = edits.length > 0 || changes >= maxChanges
  const value = isFull ? undefined : (draft.value ?? valueOf(text))
  if (value === undefined) return undefined
  try {
    return { text, edits, value: change(structuredClone(value)), changes: changes + 1 }
  } catch {
    // The value it changes no longer exists.
    return undefined
  }
}

function valueOf(text: string): Json | undefined {
  const parsed = parseJson(text, { comments: true })
  return parsed.ok ? parsed.value : undefined
}

function textFrom({ text, edits, value }: Draft): string {
  if (value !== undefined) return reviseJson(text, value)
  let result = ''
  let at = 0
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(at, start) + replacement
    at = end
  }
  return result + text.slice(at)
}
