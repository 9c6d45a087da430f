/** Claude Code's frontmatter parser: more lenient than YAML, and it may end earlier than expected. */

import {
  bodyOf,
  readFrontmatter,
  type Frontmatter,
  type FrontmatterFault,
  type Rewritten,
} from '../../files/frontmatter.ts'
import { partitionPoint } from '@contextd/shared/text/partition-point'

/** Ends at the first three dashes, even within a line. The lookahead makes the gap atomic, to avoid backtracking. */
const fence = /^---(?=(\s*\n))\1([^]*?)---\s*\n?/

export function readClaudeFrontmatter(text: string): Frontmatter | FrontmatterFault | undefined {
  return readFrontmatter(text, { fence, secondTry: withQuotes })
}

export function claudeBodyOf(text: string): number {
  return bodyOf(text, fence)
}

/** If the YAML is invalid, such as `description: one: two`, the client retries with such values quoted. */
function withQuotes(yaml: string): Rewritten {
  const lines: Line[] = []
  const texts: string[] = []
  let from = 0
  let to = 0
  for (const line of yaml.split('\n')) {
    const { text, original } = rewrite(line)
    texts.push(text)
    lines.push({ from, to, original })
    from += line.length + 1
    to += text.length + 1
  }
  return {
    yaml: texts.join('\n'),
    original(offset) {
      const line = lines[partitionPoint(lines.length, (at) => lines[at]!.to <= offset) - 1]
      return line === undefined ? offset : line.from + line.original(offset - line.to)
    },
  }
}

interface Line {
  /** Offsets of the line in the original and in the rewritten text. */
  readonly from: number
  readonly to: number
  readonly original: (column: number) => number
}

const special = /[{}[\]*&#!|>%@`]|: /

function rewrite(line: string): { text: string; original: (column: number) => number } {
  const [, head = '', value = ''] = /^([a-zA-Z_-]+:\s+)(\S.*)$/.exec(line) ?? []
  const isQuoted = /^".*"$|^'.*'$|^\[.*\]$/.test(value)
  if (value !== '' && !isQuoted && special.test(value)) {
    return {
      text: head + JSON.stringify(value),
      // Only the start and end of the value are ever looked up.
      original: (column) => (column <= head.length ? column : line.length),
    }
  }
  const tabs = /^\t*/.exec(line)?.[0].length ?? 0
  return {
    text: '  '.repeat(tabs) + line.slice(tabs),
    original: (column) => Math.max(0, column - tabs),
  }
}
