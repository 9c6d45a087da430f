import type { Case, Planted } from './case.ts'

/** From this length on, a secret counts as removed only if no piece of it is left. */
const minLongLength = 16
const pieceLength = 12

export interface Score {
  /** For each planted secret, in order. */
  readonly gone: readonly boolean[]
  readonly kept: readonly boolean[]
}

/** Scores a scrubbed text. */
export function scoreCase({ text, planted, kept }: Case, scrubbed: string): Score {
  const around = outside(text, planted)
  return {
    gone: planted.map((stretches) =>
      revealingRanges(stretches).every(({ start, end }) => isGone(text.slice(start, end), scrubbed, around)),
    ),
    kept: kept.map(({ start, end }) => {
      const lookAlike = text.slice(start, end)
      return count(scrubbed, lookAlike) >= count(around, lookAlike)
    }),
  }
}

/** For a secret in several ranges, checks only those long enough to identify it. */
function revealingRanges(stretches: Planted): Planted {
  const long = stretches.filter(({ start, end }) => end - start >= pieceLength)
  return long.length === 0 ? stretches : long
}

/** The text outside its secrets. Pieces that occur here prove nothing about the secrets. */
function outside(text: string, planted: readonly Planted[]): string {
  const stretches = planted.flat().sort((a, b) => a.start - b.start)
  let around = ''
  let from = 0
  for (const { start, end } of stretches) {
    around += `${text.slice(from, Math.max(from, start))}\0`
    from = Math.max(from, end)
  }
  return around + text.slice(from)
}

function isGone(form: string, scrubbed: string, around: string): boolean {
  if (count(scrubbed, form) > count(around, form)) return false
  if (form.length < minLongLength) return true
  for (let at = 0; at + pieceLength <= form.length; at += 1) {
    const piece = form.slice(at, at + pieceLength)
    if (isRevealing(piece) && scrubbed.includes(piece) && !around.includes(piece)) return false
  }
  return true
}

/** Pieces that consist of separators reveal nothing. */
const isRevealing = (piece: string): boolean => piece.replace(/[^A-Za-z0-9]/g, '').length >= 3

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found += 1
  return found
}
