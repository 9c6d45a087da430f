/** How Claude Code reads the head of a Markdown file: more forgiving than YAML, and it ends sooner than it looks. */

import {
  bodyOf,
  readFrontmatter,
  type Frontmatter,
  type FrontmatterFault,
  type Rewritten,
} from '../../files/frontmatter.ts'
import { partitionPoint } from '@contextd/shared/text/partition-point'

/** It ends at the first three dashes, also in the middle of a line. The gap is taken whole, so that no file takes long. */
const fence = /^---(?=(\s*\n))\1([^]*?)---\s*\n?/

export function readClaudeFrontmatter(text: string): Frontmatter | FrontmatterFault | undefined {
  return readFrontmatter(text, { fence, secondTry: withQuotes })
}

export function claudeBodyOf(text: string): number {
  return bodyOf(text, fence)
}

/** What is no YAML, such as `description: one: two`, the client reads again with quotes around such values. */
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
  /** Where it begins in the original, and in what was made of it. */
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
      // Only its two ends are ever asked for.
      original: (column) => (column <= head.length ? column : line.length),
    }
  }
  const tabs = /^\t*/.exec(line)?.[0].length ?? 0
  return {
    text: '  '.repeat(tabs) + line.slice(tabs),
    original: (column) => Math.max(0, column - tabs),
  }
}
