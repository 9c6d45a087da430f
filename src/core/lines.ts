/** Everything that some reader may treat as a line end. */
const lineEnd = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Prefixes every line of stored text, so that no line can pretend to be outside of it. */
export function marked(text: string, mark: string): string {
  return text
    .split(lineEnd)
    .map((line) => `${mark}${line}`)
    .join('\n')
}
