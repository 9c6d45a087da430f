import { visibleText } from '../text/visible-text.ts'
import type { CliIo } from './output.ts'
import { startOf } from './text-width.ts'

export interface ProgressDisplay {
  readonly done: number
  /** Absent while unknown. */
  readonly total?: number
  /** The current item, such as a path. */
  readonly now?: string
}

export interface ProgressLine {
  /** May be called often: drawing is throttled, and starts after one second. */
  show(progress: ProgressDisplay): void
  /** Removes the line, before other output. */
  clear(): void
}

const initialDelayMs = 1000
const minIntervalMs = 100

/**
 * Shows the progress, speed and remaining time of a long operation in one line on a terminal. Writes nothing if stderr is
 * not a terminal.
 */
export function progressLine(
  { stderr }: Pick<CliIo, 'stderr'>,
  noun: string,
  clock: () => number = Date.now,
): ProgressLine {
  const started = clock()
  let shown = 0
  return {
    show(progress) {
      const now = clock()
      if (stderr.isTTY !== true || now - started < initialDelayMs || now - shown < minIntervalMs) return
      shown = now
      const line = visibleText(progressText(progress, noun, now - started))
      // One column stays free, because some terminals wrap after a full line. Some report 0 columns.
      stderr.write(`\r${startOf(line, (stderr.columns || 80) - 1)}\u001B[K`)
    },
    clear() {
      if (shown > 0) stderr.write('\r\u001B[K')
      shown = 0
    },
  }
}

/** `██████░░░░░░░░░░░░░░ 1,200 of 5,000 memories (30 %), 310/s, 12 s left`. */
export function progressText({ done, total, now }: ProgressDisplay, noun: string, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0
  // The rate at the start is no basis for an estimate.
  const canEstimate = total !== undefined && (done * 50 >= total || elapsedMs >= 10_000)
  const parts = [
    total === undefined
      ? plural(done, noun)
      : `${bar(share(done, total))} ${grouped(done)} of ${plural(total, noun)} (${share(done, total)} %)`,
    ...(rate > 0 ? [`${rate >= 10 ? grouped(Math.round(rate)) : rate.toFixed(1)}/s`] : []),
    ...(rate > 0 && canEstimate && total > done ? [`${restText((total - done) / rate)} left`] : []),
    ...(now === undefined ? [] : [now]),
  ]
  return parts.join(', ')
}

const barLength = 20

function bar(percent: number): string {
  const full = Math.floor((percent * barLength) / 100)
  return '█'.repeat(full) + '░'.repeat(barLength - full)
}

function plural(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}

function share(done: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((done * 100) / total))
}

function restText(seconds: number): string {
  const rounded = Math.ceil(seconds)
  if (rounded < 60) return `${rounded} s`
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${rounded % 60} s`
  return `${Math.floor(rounded / 3600)} h ${Math.floor((rounded % 3600) / 60)} min`
}
