/**
 * Ordered, disjoint replacements of source ranges. Adjacent edits of the same width (`%67%68%70`) are merged, so that a
 * text of nothing but escapes needs little memory.
 */
export interface Edits {
  readonly starts: number[]
  readonly ends: number[]
  readonly texts: string[]
  /** Source units per replacement character; 0 if the replacement represents the range as a whole. */
  readonly strides: number[]
  /** Whether the edit may change what rules find, so that its surroundings must be searched again. */
  readonly significant: boolean[]
}

export function emptyEdits(): Edits {
  return { starts: [], ends: [], texts: [], strides: [], significant: [] }
}

/** Replaces a range with `text`. The start moves to the end of the previous edit if they overlap. */
export function addEdit(edits: Edits, from: number, end: number, text: string, isSignificant: boolean): void {
  const last = edits.starts.length - 1
  const start = last < 0 ? from : Math.max(from, edits.ends[last]!)
  if (start >= end) return
  const stride = text.length === 1 ? end - start : 0
  const canMerge =
    last >= 0 &&
    edits.ends[last] === start &&
    (stride === 0 ? text === '' && edits.texts[last] === '' : edits.strides[last] === stride)
  if (canMerge) {
    edits.ends[last] = end
    edits.texts[last] += text
    edits.significant[last] ||= isSignificant
    return
  }
  edits.starts.push(start)
  edits.ends.push(end)
  edits.texts.push(text)
  edits.strides.push(stride)
  edits.significant.push(isSignificant)
}
