/** Values that were once secrets are searched for in every later text, in any form. */

import { formsOf, type KnownForm } from './known-forms.ts'
import { matchAt, withEdges } from './known-match.ts'
import { isDistinctive } from './known-strength.ts'
import { alphanumeric, createWindowIndex, visible, windowLength, type WindowIndex } from './known-windows.ts'
import { ownString } from '@contextd/shared/text/own-string'
import { mergeSpans, type SecretSpan } from '../text/span.ts'

export interface KnownValues {
  /**
   * Ignores values that are too weak (short, few distinct characters, plain words), because masking them would turn
   * ordinary text into tokens. Removes the oldest value if there is no room for a new one.
   */
  add(value: string, rule: string): void
  forget(value: string): void
  has(value: string): boolean
  /** In order, without overlaps. */
  find(text: string): SecretSpan[]
  readonly size: number
}

interface KnownEntry {
  readonly form: KnownForm
  readonly rule: string
  /** The alignment of the last comparison with the text, and where the compared range ended. */
  alignment: number
  comparedTo: number
}

/** Memory per form in addition to its characters. */
const bytesPerForm = 350

export function createKnownValues(maxBytes = 128 << 20): KnownValues {
  const idsOf = new Map<string, readonly number[]>()
  let entries: (KnownEntry | undefined)[] = []
  let usedBytes = 0
  let removedCount = 0
  let indexes = newIndexes()

  function addForms(forms: readonly KnownForm[], rule: string): number[] {
    return forms.map((form) => {
      const id = entries.push({ form, rule, alignment: -1, comparedTo: 0 }) - 1
      usedBytes += sizeOf(form)
      indexOf(indexes, form).add(id, form.body, form.minMatchLength)
      return id
    })
  }

  function removeForms(ids: readonly number[]): void {
    for (const id of ids) {
      usedBytes -= sizeOf(entries[id]!.form)
      entries[id] = undefined
    }
    removedCount += ids.length
    if (removedCount > 1000 && removedCount > entries.length / 2) rebuild()
  }

  /** Removed forms leave windows behind. Once most forms are removed, the indexes are rebuilt without them. */
  function rebuild(): void {
    const old = entries
    entries = []
    indexes = newIndexes()
    usedBytes = 0
    removedCount = 0
    for (const [value, ids] of idsOf) {
      const forms = ids.map((id) => old[id]!.form)
      idsOf.set(value, forms.length === 0 ? [] : addForms(forms, old[ids[0]!]!.rule))
    }
  }

  function findWith(index: WindowIndex, text: string, spans: SecretSpan[]): void {
    index.scan(text, (id, offset, last, ordinal) => {
      const known = entries[id]
      if (known === undefined) return
      const alignment = ordinal - offset
      // Every matching window of an occurrence leads here, but the first comparison covered all of them.
      if (known.alignment === alignment && last < known.comparedTo) return
      const match = matchAt(text, known.form, offset, last)
      known.alignment = alignment
      known.comparedTo = match.end
      if (!match.isEnough) return
      const range = withEdges(text, known.form, match)
      const latest = spans.at(-1)
      const isNew = latest === undefined || range.start < latest.start || range.end > latest.end
      if (isNew) spans.push({ rule: known.rule, ...range })
    })
  }

  function forget(value: string): void {
    const ids = idsOf.get(value)
    if (ids === undefined) return
    idsOf.delete(value)
    removeForms(ids)
  }

  return {
    add(found, rule) {
      if (idsOf.has(found) || !isDistinctive(found)) return
      const value = ownString(found)
      const forms = formsOf(value)
      const size = forms.reduce((sum, form) => sum + sizeOf(form), 0)
      if (size > maxBytes) throw new Error('the value is too long to search for')
      for (const [oldest] of idsOf) {
        if (usedBytes + size <= maxBytes) break
        forget(oldest)
      }
      const countBefore = entries.length
      try {
        idsOf.set(value, addForms(forms, rule))
      } catch (error) {
        removeForms(entries.slice(countBefore).map((_, i) => countBefore + i))
        throw error
      }
    },
    forget,
    has: (value) => idsOf.has(value),
    find(text) {
      if (idsOf.size === 0 || text.length < windowLength) return []
      const plainText = withoutColours(text)
      const spans: SecretSpan[] = []
      findWith(indexes.alphanumeric, plainText, spans)
      if (indexes.visible !== undefined) findWith(indexes.visible, plainText, spans)
      return mergeSpans(spans)
    },
    get size() {
      return idsOf.size
    },
  }
}

const sizeOf = ({ body }: KnownForm): number => body.length + bytesPerForm

/** The index over all visible characters is created only when a value needs it. */
interface Indexes {
  readonly alphanumeric: WindowIndex
  visible?: WindowIndex
}

function newIndexes(): Indexes {
  return { alphanumeric: createWindowIndex(alphanumeric) }
}

function indexOf(indexes: Indexes, { alphabet }: KnownForm): WindowIndex {
  if (alphabet === alphanumeric) return indexes.alphanumeric
  indexes.visible ??= createWindowIndex(visible)
  return indexes.visible
}

/** Replaces terminal colour codes with white space, preserving offsets. */
function withoutColours(text: string): string {
  if (!text.includes('\u{1b}[')) return text
  return text.replace(colours, (sequence) => ' '.repeat(sequence.length))
}

const colours = new RegExp(String.raw`\u{1b}\[[0-?]{0,32}[@-~]`, 'gu')
