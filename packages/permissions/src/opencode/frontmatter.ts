/** How OpenCode parses frontmatter of Markdown files. */

import {
  readFrontmatter,
  type Frontmatter,
  type FrontmatterFault,
  type Rewritten,
} from '../files/frontmatter.ts'

/** Frontmatter ends at a line that begins with three dashes, or at the end of the file. */
const fence = /^---(?!-)[^\n]*\n?([^]*?)(?:\r?\n---\r?\n?|$)/

export function readOpenCodeFrontmatter(text: string): Frontmatter | FrontmatterFault | undefined {
  return readFrontmatter(text, { fence, secondTry: withBlocks, uniqueKeys: true })
}

/**
 * Whether the client would retry with rewritten YAML. If not, it ignores the parse error and uses the whole file as the
 * prompt of an agent without restrictions.
 */
export function hasSecondTry(text: string): boolean {
  const yaml = fence.exec(text.replace(/^\uFEFF/, ''))?.[1] ?? ''
  return withBlocks(yaml).yaml !== yaml
}

const plainPair = /^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(?!\s)(.*)$/

/** Invalid YAML, such as `description: one: two`, is parsed again with these values as block scalars. */
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
    // Exact for unchanged lines; the others do not contain rules.
    original(offset) {
      const piece = pieces.findLast((one) => one.to <= offset)
      return piece === undefined ? offset : piece.from + Math.min(offset - piece.to, piece.length)
    },
  }
}
