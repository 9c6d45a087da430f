import { visibleText } from '../text/visible-text.ts'
import type { CliIo } from './output.ts'
import { startOf } from './text-width.ts'

export interface ProgressDisplay {
  readonly done: number
  /** Absent while nobody knows. */
  readonly total?: number
  /** What is at hand, such as a path. */
  readonly now?: string
}

export interface ProgressLine {
  /** As often as wanted: it is drawn a few times a second, and only once the person has waited for one. */
  show(progress: ProgressDisplay): void
  /** Takes the line away, before anything else is said. */
  clear(): void
}

const patienceMs = 1000
const pauseMs = 100

/**
 * How far a long piece of work is, how fast it goes and how long it will still take, in one line on a terminal.
 * Where nobody looks, nothing is written.
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
      if (stderr.isTTY !== true || now - started < patienceMs || now - shown < pauseMs) return
      shown = now
      const line = visibleText(progressText(progress, noun, now - started))
      // One column stays free: a full line makes some terminals begin the next. Some say they have none.
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
  // What it took to begin says little about the rest.
  const isUnderWay = total !== undefined && (done * 50 >= total || elapsedMs >= 10_000)
  const parts = [
    total === undefined
      ? plural(done, noun)
      : `${bar(share(done, total))} ${grouped(done)} of ${plural(total, noun)} (${share(done, total)} %)`,
    ...(rate > 0 ? [`${rate >= 10 ? grouped(Math.round(rate)) : rate.toFixed(1)}/s`] : []),
    ...(rate > 0 && isUnderWay && total > done ? [`${restText((total - done) / rate)} left`] : []),
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
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
