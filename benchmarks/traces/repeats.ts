/** How often agents repeat in a call what a result showed them, where they would write a token instead. */

import { createScrubber } from '@contextd/scrub'
import { commandKinds, kindOf, type CommandKind } from './command-kind.ts'
import type { Step } from './trace.ts'

export type Kind = CommandKind | 'file tool' | 'other tool'
export const kinds: readonly Kind[] = [...commandKinds, 'file tool', 'other tool']

/**
 * Secrets are rare in recordings. A line that assigns a value is where a secret would be, and an opaque word (letters
 * and digits, not a file name) looks like one.
 */
export const measures = ['secret', 'line', 'word'] as const
export type Measure = (typeof measures)[number]

export interface Counts {
  sessions: number
  calls: number
  commands: number
  /** Distinct values shown by the results, summed over sessions. */
  readonly seen: Record<Measure, number>
  /** Calls that repeat such a value, and sessions with such a call. */
  readonly repeated: Record<Measure, Map<Kind, number>>
  readonly sessionsRepeating: Record<Measure, number>
}

/** Shorter values occur in commands by coincidence. */
const minSecretLength = 8
const assignment = /^[\w."'[\]-]{1,60}[ \t]{0,9}[:=][ \t]{0,9}[^\s=/].{3,200}$/
const opaque = /(?<![\w+=.@%-])[\w+=.@%-]{16,200}(?![\w+=.@%-])/g
const fileName = /\.[a-z]\w{0,4}$/i

const commandTool = /bash|shell|command|terminal|^exec(?:ute)?$/i
const fileTool = /edit|write|patch|replace/i

export function countRepeats(sessions: Iterable<readonly Step[]>): Counts {
  const counts: Counts = {
    sessions: 0,
    calls: 0,
    commands: 0,
    seen: { secret: 0, line: 0, word: 0 },
    repeated: { secret: new Map(), line: new Map(), word: new Map() },
    sessionsRepeating: { secret: 0, line: 0, word: 0 },
  }
  for (const steps of sessions) countSession(steps, counts)
  return counts
}

function countSession(steps: readonly Step[], counts: Counts): void {
  const session = String(counts.sessions++)
  const scrubber = createScrubber()
  const seen = { secret: new Set<string>(), line: new Set<string>(), word: new Set<string>() }
  const repeats = new Set<Measure>()
  let writtenText = ''
  for (const { kind, tool, text } of steps) {
    if (kind === 'answer') {
      const { findings } = scrubber.scrub(text, { session })
      const found = {
        secret: findings.map(({ start, end }) => text.slice(start, end)),
        line: text.split('\n').map((line) => line.replace(/^\s*\d+[:\t|]/, '').trim()),
        word: text.match(opaque) ?? [],
      }
      for (const measure of measures)
        // Text that the agent wrote itself may reappear in results and is not new.
        for (const value of found[measure])
          if (isValue[measure](value) && !writtenText.includes(value)) seen[measure].add(value)
    } else {
      counts.calls++
      if (commandTool.test(tool)) counts.commands++
      for (const measure of measures)
        if (countCall(counts.repeated[measure], tool, text, seen[measure])) repeats.add(measure)
      writtenText += `${text}\n`
    }
  }
  for (const measure of measures) counts.seen[measure] += seen[measure].size
  for (const measure of repeats) counts.sessionsRepeating[measure]++
}

const isValue: Record<Measure, (text: string) => boolean> = {
  secret: (text) => text.length >= minSecretLength,
  line: (text) => text.length >= 16 && assignment.test(text),
  word: (text) => /\d/.test(text) && /[a-z]/i.test(text) && !fileName.test(text),
}

/** If a call repeats several values, the worst outcome applies: `kinds` starts with it. */
function countCall(
  into: Map<Kind, number>,
  tool: string,
  text: string,
  values: ReadonlySet<string>,
): boolean {
  const found = [...values].filter((value) => text.includes(value))
  if (found.length === 0) return false
  const kind = kinds[Math.min(...found.map((value) => kinds.indexOf(toolKind(tool, text, value))))]!
  into.set(kind, (into.get(kind) ?? 0) + 1)
  return true
}

function toolKind(tool: string, text: string, value: string): Kind {
  if (commandTool.test(tool)) return kindOf(text, value)
  return fileTool.test(tool) ? 'file tool' : 'other tool'
}
