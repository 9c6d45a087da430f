import type { CaseClass, Half } from './case.ts'
import type { Recall, Share } from './recall.ts'
import type { Worst } from './speed.ts'
import type { WrongTokens } from './wrong-tokens.ts'

export interface Measured {
  readonly recall: Recall
  readonly wrong: WrongTokens
  readonly speeds: Readonly<
    Record<'wholeOff' | 'wholeOn' | 'wideOff' | 'wideOn' | 'piecesOff' | 'piecesOn' | 'secretlint', number>
  >
  readonly worst: Worst
}

export interface Row {
  readonly what: string
  readonly target: string
  readonly seen: string
  readonly unseen: string
  /** Absent if there is no target. */
  readonly reached?: boolean
}

const recallRows: readonly (readonly [name: CaseClass, what: string, target?: number])[] = [
  ['well-known', 'token formats of well-known providers, plain', 99.5],
  ['newer', 'kinds only newer scanners know', 85],
  ['carriers', 'hard carriers', 97],
  ['encodings-common', 'common encodings', 99],
  ['encodings-tools', 'encodings that tools print', 80],
  ['evasions', 'evasions of a known value', 90],
  ['keys-whole', 'private keys, whole', 100],
  ['keys-cut', 'private keys, cut by head or tail', 90],
  ['tool-outputs', 'whole tool outputs: secrets gone', 97],
]

const rate = ({ hit, of }: Share): number => (of === 0 ? 100 : (hit / of) * 100)
// Rounded down, so that no target appears to be reached that is not.
const percent = (share: Share): string => `${(Math.floor(rate(share) * 10) / 10).toFixed(1)} % of ${share.of}`

export function rowsOf({ recall, wrong, speeds, worst }: Measured): Row[] {
  const shares = (what: string, halves: Readonly<Record<Half, Share>>, target?: number): Row => ({
    what,
    target: target === undefined ? '–' : `${target} %`,
    seen: percent(halves.seen),
    unseen: percent(halves.unseen),
    ...(target === undefined
      ? {}
      : { reached: rate(halves.seen) >= target && rate(halves.unseen) >= target }),
  })
  const single = (what: string, target: string, value: string, reached?: boolean): Row => ({
    what,
    target,
    seen: value,
    unseen: value,
    ...(reached === undefined ? {} : { reached }),
  })
  const speed = (what: string, value: number, target?: number): Row =>
    single(
      what,
      target === undefined ? '–' : `${target} MB/s`,
      `${value.toFixed(1)} MB/s`,
      target === undefined ? undefined : value >= target,
    )
  const perMegabyte = (half: Half): number => wrong.tokens[half] / Math.max(wrong.megabytes[half], 1e-9)
  const slowest = worst.slowest[0] ?? { name: 'none', milliseconds: 0 }
  const times = (speed: number): string => `${(speed / speeds.secretlint).toFixed(1)} ×`
  return [
    ...recallRows.map(([name, what, target]) => shares(what, recall.gone[name], target)),
    shares('whole tool outputs: look-alikes kept', recall.kept, 100),
    shares('passwords and keys known by their name alone, in hard carriers', recall.gone['named-carriers']),
    shares('weak passwords in dot-files and configs', recall.gone.weak),
    {
      what: 'wrong tokens in ordinary text',
      target: 'at most 1 per MB',
      seen: `${perMegabyte('seen').toFixed(2)} per MB of ${wrong.megabytes.seen.toFixed(0)} MB`,
      unseen: `${perMegabyte('unseen').toFixed(2)} per MB of ${wrong.megabytes.unseen.toFixed(0)} MB`,
      reached: perMegabyte('seen') <= 1 && perMegabyte('unseen') <= 1,
    },
    {
      what: 'hashes touched in lock files',
      target: '0',
      seen: String(wrong.inLockFiles.seen),
      unseen: String(wrong.inLockFiles.unseen),
      reached: wrong.inLockFiles.seen + wrong.inLockFiles.unseen === 0,
    },
    speed('10 MB of ordinary text, decoding off', speeds.wholeOff, 100),
    speed('10 MB of ordinary text, decoding on', speeds.wholeOn, 60),
    speed('10 MB with characters beyond Latin-1, decoding off', speeds.wideOff),
    speed('10 MB with characters beyond Latin-1, decoding on', speeds.wideOn),
    speed('2 KB pieces, decoding off', speeds.piecesOff, 80),
    speed('2 KB pieces, decoding on', speeds.piecesOn, 50),
    single('2 KB pieces, secretlint in the same run', '–', `${speeds.secretlint.toFixed(1)} MB/s`),
    single(
      '2 KB pieces, decoding off, times secretlint',
      '10 ×',
      times(speeds.piecesOff),
      speeds.piecesOff >= 10 * speeds.secretlint,
    ),
    single('2 KB pieces, decoding on, times secretlint', '–', times(speeds.piecesOn)),
    single(
      `worst of ${worst.texts} adversarial texts of 128 KB (${slowest.name})`,
      'under 250 ms',
      `${slowest.milliseconds.toFixed(0)} ms`,
      slowest.milliseconds < 250,
    ),
    single(
      'adversarial texts withheld instead of read',
      '0',
      String(worst.withheld.length),
      worst.withheld.length === 0,
    ),
  ]
}

export function asMarkdown(rows: readonly Row[], { wrong }: Measured, heading: string): string {
  const mark = (reached: boolean | undefined): string => (reached === undefined ? '' : reached ? 'yes' : 'no')
  const groups = [...wrong.byGroup].map(
    ([name, { tokens, megabytes }]) => `| ${name} | ${megabytes.toFixed(1)} | ${tokens} |`,
  )
  return [
    '# Scrubbing, measured',
    '',
    heading,
    '',
    'Labelled texts with planted secrets. Rules are written with the misses of the seen half at hand; the unseen half tells what they are worth.',
    'Each thing tried (a kind, a carrier, an encoding, a tool) is in one half with all its variants.',
    '',
    '| what | target | seen half | unseen half | reached |',
    '|---|---|---|---|---|',
    ...rows.map(({ what, target, seen, unseen, reached }) => {
      const cells = [what, target, seen, unseen, mark(reached)]
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    }),
    '',
    '| ordinary text | MB | wrong tokens |',
    '|---|---|---|',
    ...groups,
    '',
  ].join('\n')
}
