/**
 * Stretches of a source that read as something else, in order and apart from each other. Neighbours of the same
 * width are kept as one (`%67%68%70`), so that a text made of nothing but escapes stays small.
 */
export interface Edits {
  readonly starts: number[]
  readonly ends: number[]
  readonly texts: string[]
  /** Source units for each character of the text; 0 where the text stands for the stretch as a whole. */
  readonly strides: number[]
  /** Whether it may change what a rule finds, and so is worth another reading of its surroundings. */
  readonly telling: boolean[]
}

export function noEdits(): Edits {
  return { starts: [], ends: [], texts: [], strides: [], telling: [] }
}

/** The stretch reads as `text`. Begins no earlier than the last one ended; what overlaps is cut off in front. */
export function addEdit(edits: Edits, from: number, end: number, text: string, telling: boolean): void {
  const last = edits.starts.length - 1
  const start = last < 0 ? from : Math.max(from, edits.ends[last]!)
  if (start >= end) return
  const stride = text.length === 1 ? end - start : 0
  const joins =
    last >= 0 &&
    edits.ends[last] === start &&
    (stride === 0 ? text === '' && edits.texts[last] === '' : edits.strides[last] === stride)
  if (joins) {
    edits.ends[last] = end
    edits.texts[last] += text
    edits.telling[last] ||= telling
    return
  }
  edits.starts.push(start)
  edits.ends.push(end)
  edits.texts.push(text)
  edits.strides.push(stride)
  edits.telling.push(telling)
}
