import { markdownLines } from './markdown-lines.ts'
import { isOrdinaryWord } from './ordinary-words.ts'

/** Shorter ones stand in many texts. */
export const minLineLength = 12

/**
 * The lines that are content. What only names it in everybody's words, such as `# Identifiers`, the head of a table or an
 * item of one common word, is none: every document has that.
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
