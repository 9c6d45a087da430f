import { wordPieces } from './word-pieces.ts'

/** The rest of longer texts is ignored. */
const maxTextLength = 32_768
/** Longer names are hashes and encoded data without meaning. */
const maxNameLength = 80
const maxUnknownLength = 24

const nameParts = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/

/**
 * The table rows for a text: whole words if the table has them, else their parts, else pieces. The script that builds
 * the table (`scripts/embedder/tokens.py`) does the same.
 */
export function tokenize(text: string, rows: ReadonlyMap<string, number>, maxTokens: number): number[] {
  const tokens: number[] = []
  const seen = new Map<string, readonly number[]>()
  for (const [word] of withoutAccents(text.slice(0, maxTextLength)).matchAll(/[A-Za-z0-9]+/g)) {
    const known = seen.get(word) ?? rowsOf(word, rows)
    seen.set(word, known)
    tokens.push(...known)
    if (tokens.length >= maxTokens) break
  }
  return tokens.slice(0, maxTokens)
}

function withoutAccents(text: string): string {
  return /[^ -~\s]/.test(text) ? text.normalize('NFKD').replaceAll(/\p{M}/gu, '') : text
}

function rowsOf(word: string, rows: ReadonlyMap<string, number>): readonly number[] {
  const whole = rows.get(word.toLowerCase())
  if (whole !== undefined) return [whole]
  if (word.length > maxNameLength) return []
  return word.split(nameParts).flatMap((part) => rowsOfPart(part.toLowerCase(), rows))
}

function rowsOfPart(part: string, rows: ReadonlyMap<string, number>): readonly number[] {
  const whole = rows.get(part)
  if (whole !== undefined) return [whole]
  return (part.match(/[a-z]+|[0-9]+/g) ?? []).flatMap((run) => {
    const row = rows.get(run)
    if (row !== undefined) return [row]
    return run.length > maxUnknownLength || /^[0-9]/.test(run) ? [] : (wordPieces(run, rows) ?? [])
  })
}
