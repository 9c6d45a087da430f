/** Values that were secrets once are looked for in every later text, in whatever form they come back. */

import { formsOf, type KnownForm } from './known-forms.ts'
import { matchAt, withItsEdges } from './known-match.ts'
import { isDistinctive } from './known-strength.ts'
import { alphanumeric, createWindowIndex, visible, windowLength, type WindowIndex } from './known-windows.ts'
import { ownString } from '@contextd/shared/text/own-string'
import { mergeSpans, type SecretSpan } from '../text/span.ts'

export interface KnownValues {
  /**
   * What is too weak to hunt (short, few distinct characters, plain words) is passed over: it would turn ordinary text
   * into tokens. Where there is no room for another, the one that was added first makes place.
   */
  add(value: string, rule: string): void
  forget(value: string): void
  has(value: string): boolean
  /** In order, without overlaps. */
  find(text: string): SecretSpan[]
  readonly size: number
}

interface Hunted {
  readonly form: KnownForm
  readonly rule: string
  /** The alignment in which it was compared last, and how far in the text that comparison holds. */
  alignment: number
  comparedTo: number
}

/** What a form takes in memory besides its characters. */
const bytesPerForm = 350

export function createKnownValues(maxBytes = 128 << 20): KnownValues {
  const idsOf = new Map<string, readonly number[]>()
  let hunted: (Hunted | undefined)[] = []
  let kept = 0
  let dead = 0
  let indexes = newIndexes()

  function hunt(forms: readonly KnownForm[], rule: string): number[] {
    return forms.map((form) => {
      const id = hunted.push({ form, rule, alignment: -1, comparedTo: 0 }) - 1
      kept += sizeOf(form)
      indexOf(indexes, form).add(id, form.body, form.enough)
      return id
    })
  }

  function drop(ids: readonly number[]): void {
    for (const id of ids) {
      kept -= sizeOf(hunted[id]!.form)
      hunted[id] = undefined
    }
    dead += ids.length
    if (dead > 1000 && dead > hunted.length / 2) rebuild()
  }

  /** Forms that were dropped leave windows behind; when they are the most, the indexes are made anew without them. */
  function rebuild(): void {
    const old = hunted
    hunted = []
    indexes = newIndexes()
    kept = 0
    dead = 0
    for (const [value, ids] of idsOf) {
      const forms = ids.map((id) => old[id]!.form)
      idsOf.set(value, forms.length === 0 ? [] : hunt(forms, old[ids[0]!]!.rule))
    }
  }

  function findWith(index: WindowIndex, text: string, spans: SecretSpan[]): void {
    index.scan(text, (id, offset, last, ordinal) => {
      const known = hunted[id]
      if (known === undefined) return
      const alignment = ordinal - offset
      // Every window of a form that stands in the text leads here, and the first comparison was about all of them.
      if (known.alignment === alignment && last < known.comparedTo) return
      const match = matchAt(text, known.form, offset, last)
      known.alignment = alignment
      known.comparedTo = match.end
      if (!match.isEnough) return
      const stretch = withItsEdges(text, known.form, match)
      const latest = spans.at(-1)
      const isNew = latest === undefined || stretch.start < latest.start || stretch.end > latest.end
      if (isNew) spans.push({ rule: known.rule, ...stretch })
    })
  }

  function forget(value: string): void {
    const ids = idsOf.get(value)
    if (ids === undefined) return
    idsOf.delete(value)
    drop(ids)
  }

  return {
    add(found, rule) {
      if (idsOf.has(found) || !isDistinctive(found)) return
      const value = ownString(found)
      const forms = formsOf(value)
      const size = forms.reduce((sum, form) => sum + sizeOf(form), 0)
      if (size > maxBytes) throw new Error('the value is too long to hunt for')
      for (const [oldest] of idsOf) {
        if (kept + size <= maxBytes) break
        forget(oldest)
      }
      const before = hunted.length
      try {
        idsOf.set(value, hunt(forms, rule))
      } catch (error) {
        drop(hunted.slice(before).map((_, i) => before + i))
        throw error
      }
    },
    forget,
    has: (value) => idsOf.has(value),
    find(text) {
      if (idsOf.size === 0 || text.length < windowLength) return []
      const plainText = withoutColours(text)
      const spans: SecretSpan[] = []
      findWith(indexes.letters, plainText, spans)
      if (indexes.signs !== undefined) findWith(indexes.signs, plainText, spans)
      return mergeSpans(spans)
    },
    get size() {
      return idsOf.size
    },
  }
}

const sizeOf = ({ body }: KnownForm): number => body.length + bytesPerForm

/** The index of signs is made, and asked, only once there is a value for it. */
interface Indexes {
  readonly letters: WindowIndex
  signs?: WindowIndex
}

function newIndexes(): Indexes {
  return { letters: createWindowIndex(alphanumeric) }
}

function indexOf(indexes: Indexes, { alphabet }: KnownForm): WindowIndex {
  if (alphabet === alphanumeric) return indexes.letters
  indexes.signs ??= createWindowIndex(visible)
  return indexes.signs
}

/** Colours of a terminal as white space, every character where it was. */
function withoutColours(text: string): string {
  if (!text.includes('\u{1b}[')) return text
  return text.replace(colours, (sequence) => ' '.repeat(sequence.length))
}

const colours = new RegExp(String.raw`\u{1b}\[[0-?]{0,32}[@-~]`, 'gu')
