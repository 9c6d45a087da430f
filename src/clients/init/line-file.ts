/** A list with one entry per line, such as git's excludes, including our lines. */

import type { ClientFile } from './client-file.ts'

export function lineFile(path: string, lines: readonly string[]): ClientFile {
  return {
    path,
    kind: 'lines',
    extend(text = '') {
      const there = new Set(linesOf(text))
      const missing = lines.filter((line) => !there.has(line))
      if (missing.length === 0) return text
      return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`
    },
    clear: (text) => withoutLines(text, new Set(lines)),
  }
}

/** Removes what was added, and keeps what others added since. */
export function revertLines(now: string, before: string | null, after: string): string | undefined {
  const old = new Set(linesOf(before ?? ''))
  const left = withoutLines(now, new Set(linesOf(after).filter((line) => !old.has(line))))
  return before === null && left === '' ? undefined : left
}

function withoutLines(text: string, lines: ReadonlySet<string>): string {
  const kept = text.split(/(?<=\n)/).filter((line) => !lines.has(line.replace(/\r?\n$/, '')))
  return kept.join('')
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '')
}
