import type { CountTokens } from '../../core/ports.ts'

/** A text within a token limit: complete, or its start with a note about what is missing and where to find it. */
export function shortened(text: string, tokens: number, count: CountTokens, hint: string): string {
  const total = count(text)
  if (total <= tokens) return text
  const note = `[… shortened from about ${total} tokens; ${hint}]`
  const room = tokens - count(`\n${note}`)
  let fits = 0
  let tooLong = Math.min(text.length, Math.max(0, room) * 16 + 1)
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (count(text.slice(0, middle)) <= room) fits = middle
    else tooLong = middle
  }
  const head = text.slice(0, cutPosition(text, fits)).trimEnd()
  return head === '' ? note : `${head}\n${note}`
}

/** Cuts at a line end if that costs little, else at a word; never inside a character or a token. */
function cutPosition(text: string, end: number): number {
  const open = text.lastIndexOf('[', end - 1)
  const token = open < 0 ? null : /^\[(?:SECRET|PRIVATE)[^\]\s]{0,32}\]/.exec(text.slice(open, open + 48))
  const limit = token !== null && open + token[0].length > end ? open : end
  const line = text.lastIndexOf('\n', limit - 1)
  if (line > limit * 0.75) return line
  const word = text.lastIndexOf(' ', limit - 1)
  if (word > limit - 40 && word > 0) return word
  const splitsPair = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800
  return splitsPair ? limit - 1 : limit
}
