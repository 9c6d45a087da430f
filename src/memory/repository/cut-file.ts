/** Cuts a file into chunks the way that suits it. */

import type { Chunk } from './chunk.ts'
import type { Grammars } from './grammars.ts'
import { lineChunks } from './line-chunks.ts'
import { markdownChunks } from './markdown-chunks.ts'
import { syntaxChunks } from './syntax-chunks.ts'

/** To be raised whenever the same text is cut or read differently: everything is indexed anew then. */
export const cuttingVersion = 1

/** Parsing takes room and time that data in the clothes of code is not worth. */
const maxParsedLength = 524_288

export async function cutFile(
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
