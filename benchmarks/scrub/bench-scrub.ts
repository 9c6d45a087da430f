// node scripts/run-ts.mjs benchmarks/scrub/bench-scrub.ts [--quick] [--misses [class|benign|adversarial]] [--json]
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

import { benignTexts } from './benign.ts'
import { corpus } from './corpus.ts'
import { printMisses } from './misses.ts'
import { measureRecall } from './recall.ts'
import { asMarkdown, rowsOf, type Measured } from './report.ts'
import { secretlintSpeed } from './secretlint.ts'
import { scrubSpeed, speedTexts, worstAdversarial } from './speed.ts'
import { measureWrongTokens } from './wrong-tokens.ts'

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const missesAt = args.indexOf('--misses')

const benign = benignTexts(isQuick ? 8 : 40)
if (missesAt !== -1) {
  printMisses(args[missesAt + 1], benign)
} else {
  const measured = await measure()
  const rows = rowsOf(measured)
  if (args.includes('--json'))
    process.stdout.write(`${JSON.stringify({ rows, measured: plain(measured) })}\n`)
  else process.stdout.write(asMarkdown(rows, measured, heading()))
  if (!isQuick) writeFileSync('benchmarks/scrub/results.md', asMarkdown(rows, measured, heading()))
}

async function measure(): Promise<Measured> {
  const rounds = isQuick ? 2 : 5
  const { whole, wholeWide, pieces } = speedTexts(benign, isQuick ? 4 : 10)
  reportPhase('speed')
  const speeds = {
    wholeOff: scrubSpeed([whole], false, rounds),
    wholeOn: scrubSpeed([whole], true, rounds),
    wideOff: scrubSpeed([wholeWide], false, rounds),
    wideOn: scrubSpeed([wholeWide], true, rounds),
    piecesOff: scrubSpeed(pieces, false, rounds),
    piecesOn: scrubSpeed(pieces, true, rounds),
    secretlint: await secretlintSpeed(pieces.slice(0, isQuick ? 300 : 1500), 2),
  }
  reportPhase('labelled texts')
  const recall = measureRecall(corpus())
  reportPhase('ordinary text')
  const wrong = measureWrongTokens(benign)
  reportPhase('adversarial texts')
  const worst = worstAdversarial(128 << 10, isQuick ? 50 : 1, isQuick ? 30 : 600)
  return { recall, wrong, speeds, worst }
}

function reportPhase(phase: string): void {
  process.stderr.write(`${phase} …\n`)
}

function heading(): string {
  return `Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown'}, CPU time of one thread. Written by \`npm run bench:scrub\`.`
}

/** Numbers only, without any text of the corpus. */
function plain({ recall, wrong, speeds, worst }: Measured): unknown {
  const { gone, kept } = recall
  const { megabytes, tokens, inLockFiles, byGroup } = wrong
  return {
    gone,
    kept,
    wrong: { megabytes, tokens, inLockFiles, byGroup: Object.fromEntries(byGroup) },
    speeds,
    worst,
  }
}
