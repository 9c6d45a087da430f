import { markdownLines } from './markdown-lines.ts'
import { isOrdinaryWord } from './ordinary-words.ts'

/** Shorter lines occur in many texts. */
export const minLineLength = 12

/**
 * The lines with actual content. Lines that every document has, such as `# Identifiers`, a table header or an item
 * with one common word, are excluded.
 */
export function contentLines(markdown: string): string[] {
  const lines = new Set<string>()
  for (const { kind, text } of markdownLines(markdown)) {
    if (text.length < minLineLength || !/[\p{L}\p{N}]/u.test(text)) continue
    const words = text.match(/[\p{L}\p{M}’']+/gu) ?? []
    const isCommon = kind === 'label' || (words.length <= 2 && !/\p{N}/u.test(text))
    if (isCommon && words.every((word) => isOrdinaryWord(word))) continue
    lines.add(text)
  }
  return [...lines]
}
