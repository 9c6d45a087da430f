/** How OpenCode reads the head of a Markdown file. */

import {
  readFrontmatter,
  type Frontmatter,
  type FrontmatterFault,
  type Rewritten,
} from '../files/frontmatter.ts'

/** It ends at a line that begins with three dashes, or with the file. */
const fence = /^---(?!-)[^\n]*\n?([^]*?)(?:\r?\n---\r?\n?|$)/

export function readOpenCodeFrontmatter(text: string): Frontmatter | FrontmatterFault | undefined {
  return readFrontmatter(text, { fence, secondTry: withBlocks, uniqueKeys: true })
}

/**
 * Whether the client would try again with another text. Where it would not, what it cannot read does not stop it: it
 * takes the whole file as the prompt of an agent about which nothing is said.
 */
export function hasSecondTry(text: string): boolean {
  const yaml = fence.exec(text.replace(/^\uFEFF/, ''))?.[1] ?? ''
  return withBlocks(yaml).yaml !== yaml
}

const plainPair = /^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(?!\s)(.*)$/

/** What is no YAML, such as `description: one: two`, is read again with such values as blocks of text. */
function withBlocks(yaml: string): Rewritten {
  const pieces: { from: number; to: number; length: number }[] = []
  let from = 0
  let to = 0
  const lines = yaml.split('\n').map((line) => {
    const [, key = '', rest = ''] = plainPair.exec(line.replace(/\r$/, '')) ?? []
    const value = rest.trim()
    const isBlock = value.includes(':') && !/^["']/.test(value)
    const text = isBlock ? `${key}: |-\n  ${value}` : line
    pieces.push({ from, to, length: line.length })
    from += line.length + 1
    to += text.length + 1
    return text
  })
  return {
    yaml: lines.join('\n'),
    // Exact for lines that stay as they are; the others are no rules.
    original(offset) {
      const piece = pieces.findLast((one) => one.to <= offset)
      return piece === undefined ? offset : piece.from + Math.min(offset - piece.to, piece.length)
    },
  }
}
