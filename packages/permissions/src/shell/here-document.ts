/** Text that stands in the lines behind a command. Pure. */

export interface HereDocument {
  /** How it is announced. */
  readonly start: string
  readonly end: string
  readonly isIndented: boolean
  /** Whether the shell fills in variables and the like. */
  readonly isFilledIn: boolean
}

/** The one that a text begins with. */
export function hereDocument(text: string): HereDocument | undefined {
  const [start, ...ends] = /^<<-?(?!<)[ \t]*(?:'([^']*)'|"([^"]*)"|\\(\w+)|([^\s;&|<>()]+))/.exec(text) ?? []
  if (start === undefined) return undefined
  return {
    start,
    end: ends.find((end) => end !== undefined) ?? '',
    isIndented: start.startsWith('<<-'),
    isFilledIn: ends[3] !== undefined,
  }
}

/** Its lines, with the one that ends it. */
export function contentOf({ end, isIndented }: HereDocument, text: string): string {
  const lines = text.split('\n')
  const last = lines.findIndex((line) => (isIndented ? line.replace(/^\t+/, '') : line) === end)
  return (last === -1 ? lines : lines.slice(0, last + 1)).join('\n')
}

/** Inside of quotes the client sees through `$(cat <<'EOF' …)`. Sticky, as it is looked for in the middle of a text. */
export const quotedDocument =
  /\$\(cat <<-?[ \t]*(?<quote>['"])(?<end>\w+)\k<quote>\n(?<content>[\s\S]*?)\n?\k<end>\n\s*\)/y
