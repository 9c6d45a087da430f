/** A text within so many characters, with a sign where there was more; never half a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text
    .slice(0, most - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}

/** The same as one line. */
export function cutLine(text: string, most: number): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), most)
}
