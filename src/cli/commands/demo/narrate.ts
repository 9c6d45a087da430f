/** Narrates the demo in short lines, with reading pauses on a terminal. */

import { setTimeout as wait } from 'node:timers/promises'

import { visibleText } from '@contextd/shared/text/visible-text'
import { paint, printLine, type CliIo } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import type { DemoFacts } from './story.ts'

/** One line, and a pause to read it. */
export type Narrate = (line: string, style?: Parameters<typeof paint>[1]) => Promise<void>

const perLineMs = 700
const perWordMs = 110

export function createNarrator(
  io: CliIo,
  { fast, json, signal }: { fast: boolean; json: boolean; signal: AbortSignal },
): Narrate {
  if (json) return async () => {}
  const isRead = io.stdout.isTTY === true && !fast
  return async (line, style) => {
    if (style === undefined) printLine(line, io)
    else io.stdout.write(`${paint(io, style, visibleText(line))}\n`)
    if (isRead && line !== '')
      await wait(perLineMs + line.split(' ').length * perWordMs, undefined, { signal })
  }
}

export async function narrateSecret(
  { tool, printed, agent_saw: seen }: DemoFacts['secret'],
  narrate: Narrate,
): Promise<void> {
  const what =
    tool === 'safe_bash' ? 'The command printed (a fake secret)' : 'The file contains (a fake secret)'
  await narrate(`  ${what}:`)
  await narrate(`    ${printed}`, 'red')
  await narrate('  The agent got:')
  await narrate(`    ${seen}`, 'green')
  await narrate('  Tools that the rules allow receive the real value; the agent never does.')
}

export async function narrateRefusal(
  { agent, tool, code, rule }: DemoFacts['refusal'],
  narrate: Narrate,
): Promise<void> {
  await narrate(`  ${agent} called ${tool} and got:`)
  await narrate(`    ${code} by ${rule}`, 'red')
}

export async function narrateFolding(folding: DemoFacts['folding'], narrate: Narrate): Promise<void> {
  const { files, found, tokens_read: read, tokens_returned: back } = folding
  await narrate(`  One sentence came back: ${found}`, 'green')
  await narrate(
    `  ${counted(files, 'file')}, ${read.toLocaleString('en')} tokens read; ${back} entered the context.`,
  )
}

export async function narrateAudit(
  { calls, records, ok }: DemoFacts['audit'],
  narrate: Narrate,
): Promise<void> {
  // Print repeated lines once.
  const lines = calls.map(({ agent, tool, outcome, secrets }) => {
    const held = secrets > 0 ? `, ${counted(secrets, 'secret')} held back` : ''
    return `${agent.padEnd(9)} ${tool.padEnd(10)} ${outcome}${held}`
  })
  for (const line of new Set(lines)) {
    const times = lines.filter((other) => other === line).length
    await narrate(`    ${line}${times > 1 ? ` (${times} times)` : ''}`)
  }
  await narrate(
    ok
      ? `  ${counted(records, 'record')}, verified: none changed, removed, added or moved.`
      : '  THE AUDIT LOG FAILS VERIFICATION.',
    ok ? 'green' : 'red',
  )
}
