/** Truncates to a number of characters and marks the cut with an ellipsis; never splits a character. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text
    .slice(0, maxLength - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}

/** Like `cutText`, but collapses whitespace to one line. */
export function cutLine(text: string, maxLength: number): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), maxLength)
}
