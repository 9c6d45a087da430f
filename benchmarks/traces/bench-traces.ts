// npm run bench:traces -- FILE...: how often agents repeat in commands what they have read, from recorded sessions.
import { readFileSync } from 'node:fs'

import { outcomes } from './command-kind.ts'
import { countRepeats, kinds, measures } from './repeats.ts'
import { sessionsIn } from './trace.ts'

const files = process.argv.slice(2)
if (files.length === 0) {
  process.stderr.write(
    'usage: npm run bench:traces -- FILE... (Claude Code or Codex .jsonl, SWE-agent .traj)\n',
  )
  process.exit(2)
}
const { sessions, calls, commands, seen, repeated, sessionsRepeating } = countRepeats(
  (function* () {
    for (const file of files) yield* sessionsIn(readFileSync(file, 'utf8'))
  })(),
)
const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`
process.stdout.write(
  `${sessions} sessions with ${calls} tool calls, ${commands} of them shell commands. ` +
    `Their answers showed ${seen.secret} secrets, ${seen.line} lines with a setting and ${seen.word} opaque words.\n\n` +
    row(['a call repeats it in', 'run with the token, it', ...measures]) +
    row(['---', '---', ...measures.map(() => '---')]) +
    kinds
      .map((kind) => {
        const outcome = kind in outcomes ? outcomes[kind as keyof typeof outcomes] : ''
        return row([kind, outcome, ...measures.map((measure) => repeated[measure].get(kind) ?? 0)])
      })
      .join('') +
    row(['all', '', ...measures.map((measure) => sum(repeated[measure]))]) +
    row(['sessions with such a call', '', ...measures.map((measure) => sessionsRepeating[measure])]),
)
