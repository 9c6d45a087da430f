const maxShown = 120

/** On one line; a longer sentence is cut, at a space if possible. Scrub first: half a secret is not recognized. */
export function firstSentence(text: string, maxLength: number = maxShown): string {
  const line = text.trim().replace(/\s+/g, ' ')
  const [sentence = line] = /^.+?(?:[.!?](?= \p{Lu}|$)|。)/u.exec(line.slice(0, 1000)) ?? []
  if (sentence.length <= maxLength) return sentence
  const cut = sentence.slice(0, maxLength)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxLength / 2))}…`
}
