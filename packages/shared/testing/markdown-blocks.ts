export interface CodeBlock {
  readonly language: string
  /** The path after the language, if the block is the content of a file. */
  readonly path?: string
  readonly text: string
  readonly line: number
}

/** The fenced blocks of a Markdown page, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { language: string; path?: string; line: number; lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === undefined) {
      const [, language, path] = /^```(\w+)(?: (\S+))?$/.exec(line) ?? []
      if (language !== undefined)
        open = { language, line: index + 1, lines: [], ...(path !== undefined && { path }) }
    } else if (line === '```') {
      const { lines, ...rest } = open
      blocks.push({ ...rest, text: `${lines.join('\n')}\n` })
      open = undefined
    } else open.lines.push(line)
  }
  return blocks
}

export interface QuotedCommand {
  readonly command: string
  /** The expected output; undefined in `sh` blocks. */
  readonly output?: string
}

/** Commands of an `sh` block (run as one script) or of a `console` block (`$ command`, then its output). */
export function commandsOf({ language, text }: CodeBlock): QuotedCommand[] {
  if (language === 'sh') return [{ command: text }]
  if (language !== 'console') return []
  const commands: { command: string; output: string }[] = []
  for (const line of text.trimEnd().split('\n')) {
    const last = commands.at(-1)
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: '' })
    else if (last !== undefined) last.output += `${line}\n`
  }
  return commands
}

/** Compares quoted with real output; `…` matches any text within a line, and alone any lines. */
export function matchesOutput(quoted: string, real: string): boolean {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = quoted
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.trim() === '…' ? String.raw`[\s\S]*?` : line.trimEnd().split('…').map(literal).join('.*'),
    )
    .join(String.raw`[ \t]*\n`)
  return new RegExp(`^${pattern}\\s*$`).test(real.replaceAll('\r', '').trimEnd())
}
