/** `ctxd demo`: a one-minute demo with real components, in a temporary folder. */

import type { Command } from 'commander'

import { ContextdError } from '../../../core/errors/errors.ts'
import { newCommand, printJson, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import type { DemoSet } from './set.ts'
import type { DemoFacts } from './story.ts'
import type { Narrate } from './narrate.ts'

interface DemoOptions extends JsonOption {
  readonly fast?: true
}

export function demoCommand(io: CliIo = processIo()): Command {
  return newCommand('demo', 'one-minute demo in a temporary folder', 'ctxd demo')
    .option('--fast', 'no reading pauses')
    .action((options: DemoOptions) => demo(options, io))
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function demo({ fast, json }: DemoOptions, io: CliIo): Promise<void> {
  const { buildSet } = await import('./set.ts')
  const { createNarrator } = await import('./narrate.ts')
  const stop = new AbortController()
  const onEnding = (): void => stop.abort()
  for (const ending of endings) process.on(ending, onEnding)
  const set = buildSet(io.env)
  try {
    const facts = await play(
      set,
      createNarrator(io, { fast: fast === true, json: json === true, signal: stop.signal }),
      stop.signal,
    )
    if (json) printJson(facts, io)
  } catch (error) {
    throw stop.signal.aborted ? new ContextdError('CANCELLED') : error
  } finally {
    set.remove()
    for (const ending of endings) process.off(ending, onEnding)
  }
}

async function play(set: DemoSet, narrate: Narrate, signal: AbortSignal): Promise<DemoFacts> {
  const { composeRuntime, openRecords } = await import('../../../compose.ts')
  const story = await import('./story.ts')
  const narration = await import('./narrate.ts')
  await narrate('contextd sits between coding agents and what they touch.', 'bold')
  await narrate('Real components, simulated agents, in a temporary folder.')
  const runtime = await composeRuntime({ env: set.env, cwd: set.project, log: () => {} })
  let facts: Omit<DemoFacts, 'audit'>
  try {
    const call = story.demoCaller(runtime, signal)
    const state = await runtime.sandbox()
    await narrate('')
    await narrate('1. An agent runs a command that prints a secret.', 'bold')
    if (!state.available)
      await narrate(`  No sandbox, so the file is read instead (${state.cause}).`, 'yellow')
    const secret = await story.printSecret(call, set, state.available)
    await narration.narrateSecret(secret, narrate)

    await narrate('')
    await narrate('2. Another agent requests something its rules do not allow.', 'bold')
    const refusal = await story.refuseAgent(call)
    await narration.narrateRefusal(refusal, narrate)

    await narrate('')
    await narrate(`3. A search through ${set.sources.length} files, folded into a subagent's branch.`, 'bold')
    const folding = await story.foldSearch(call, set)
    await narration.narrateFolding(folding, narrate)

    facts = {
      sandbox: { available: state.available, ...(!state.available && { cause: state.cause }) },
      secret,
      refusal,
      folding,
    }
  } finally {
    await runtime.close()
  }

  await narrate('')
  await narrate('4. Everything is in the audit log.', 'bold')
  const records = openRecords(set.env)
  try {
    const audit = story.readRecord(records)
    await narration.narrateAudit(audit, narrate)
    await narrate('')
    await narrate('Done; the temporary folder is deleted. Next: `ctxd init`.', 'bold')
    return { ...facts, audit }
  } finally {
    records.close()
  }
}
