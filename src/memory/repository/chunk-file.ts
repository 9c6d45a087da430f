/** Splits a file into chunks with the method that suits its language. */

import type { Chunk } from './chunk.ts'
import type { Grammars } from './grammars.ts'
import { lineChunks } from './line-chunks.ts'
import { markdownChunks } from './markdown-chunks.ts'
import { syntaxChunks } from './syntax-chunks.ts'

/** Increment whenever the same text is split or read differently: everything is then indexed again. */
export const chunkingVersion = 1

/** Larger files are mostly data in a programming language's syntax, and not worth the parsing time. */
const maxParsedLength = 524_288

export async function chunkFile(
  language: string,
  lines: readonly string[],
  grammars: Grammars | undefined,
): Promise<Chunk[]> {
  if (language === 'markdown') return markdownChunks(lines)
  const text = lines.join('\n')
  const bySyntax =
    text.length > maxParsedLength
      ? undefined
      : await grammars?.parse(language, text, (root) => syntaxChunks(lines, root))
  return bySyntax ?? lineChunks(lines)
}
