/** Truncates to a number of characters and marks the cut with an ellipsis; never splits a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text
    .slice(0, most - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}

/** The same, on one line. */
export function cutLine(text: string, most: number): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), most)
}
