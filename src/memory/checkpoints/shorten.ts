import type { CountTokens } from '../../core/ports.ts'

/** A text within so many tokens: whole, or its start with a word on what is missing and where to find it. */
export function shortened(text: string, tokens: number, count: CountTokens, where: string): string {
  const whole = count(text)
  if (whole <= tokens) return text
  const note = `[… shortened from about ${whole} tokens; ${where}]`
  const room = tokens - count(`\n${note}`)
  let fits = 0
  let tooLong = Math.min(text.length, Math.max(0, room) * 16 + 1)
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (count(text.slice(0, middle)) <= room) fits = middle
    else tooLong = middle
  }
  const head = text.slice(0, borderBefore(text, fits)).trimEnd()
  return head === '' ? note : `${head}\n${note}`
}

/** Whole lines where that costs little, else whole words; never half a character or half of what stands for a secret. */
function borderBefore(text: string, end: number): number {
  const open = text.lastIndexOf('[', end - 1)
  const token = open < 0 ? null : /^\[(?:SECRET|PRIVATE)[^\]\s]{0,32}\]/.exec(text.slice(open, open + 48))
  const clear = token !== null && open + token[0].length > end ? open : end
  const line = text.lastIndexOf('\n', clear - 1)
  if (line > clear * 0.75) return line
  const word = text.lastIndexOf(' ', clear - 1)
  if (word > clear - 40 && word > 0) return word
  const splitsPair = (text.charCodeAt(clear - 1) & 0xfc00) === 0xd800
  return splitsPair ? clear - 1 : clear
}
