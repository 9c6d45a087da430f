import { visibleText } from '../text/visible-text.ts'
import { paint, type CliIo } from '../cli/output.ts'
import type { FileChange } from './change.ts'
import { unifiedDiff } from './unified-diff.ts'

export interface DescribedChange {
  readonly path: string
  readonly action: 'create' | 'change' | 'remove'
  readonly diff: readonly string[]
}

/** The lines around ours may contain credentials: `mask` replaces them. */
export function describeFileChanges(
  changes: readonly FileChange[],
  mask: (text: string) => string,
): DescribedChange[] {
  const shown = (text: string | undefined, isLink: true | undefined): string | undefined =>
    text === undefined || isLink !== true ? text : `link to ${text}\n`
  return changes.map(({ path, from, to, isLink }) => ({
    path,
    action: from === undefined ? 'create' : to === undefined ? 'remove' : 'change',
    diff: mask(unifiedDiff(shown(from, isLink), shown(to, isLink), path).join('\n')).split('\n'),
  }))
}

const styles = { '+': 'green', '-': 'red', '@': 'dim' } as const

export function printChanges(changes: readonly DescribedChange[], io: CliIo): void {
  for (const line of changes.flatMap(({ diff }) => diff)) {
    const style = /^(?:---|\+\+\+) /.test(line) ? 'bold' : styles[line.charAt(0) as keyof typeof styles]
    const shown = line.split('\t').map(visibleText).join('\t')
    io.stdout.write(`${style === undefined ? shown : paint(io, style, shown)}\n`)
  }
}

const maxNamed = 8
const namedOfMany = 3

/** The changed files; only the first of many, because the prompt listed all of them. */
export function summarizePaths(paths: readonly string[]): string {
  if (paths.length <= maxNamed) return paths.join(', ')
  return `${paths.slice(0, namedOfMany).join(', ')} and ${paths.length - namedOfMany} more`
}
