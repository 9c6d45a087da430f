/** Everything that anybody may take for the end of a line. */
const lineEnd = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Stored text for a context, every line of it behind a mark: nothing in it can look as if it stood outside. */
export function marked(text: string, mark: string): string {
  return text
    .split(lineEnd)
    .map((line) => `${mark}${line}`)
    .join('\n')
}
