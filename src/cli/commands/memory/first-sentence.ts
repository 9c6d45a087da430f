const maxLength = 120

/** The first sentence of a text, cut if it is long: for a title or a description that nobody wrote. */
export function firstSentence(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  // Not the beginning of a code block or a table.
  const line = lines.find((one) => /^(?![`~|])/.test(one) && /[\p{L}\p{N}]/u.test(one)) ?? text.trim()
  const plain = line.replace(/^[#>*+-]+ /, '').trim()
  const end = plain.search(/[.!?](?= |$)/)
  const sentence = end === -1 ? plain : plain.slice(0, end + 1)
  return sentence.length <= maxLength ? sentence : `${sentence.slice(0, maxLength - 1).trimEnd()}…`
}
