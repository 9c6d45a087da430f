/** `ctxd memory reembed`. */

import { ContextdError } from '../../../core/errors/errors.ts'
import { reembed, type Reembedded } from '../../../memory/bank/reembed.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { progressLine } from '@contextd/shared/cli/progress'
import { memories } from './shown.ts'
import { sayStopped, stoppable } from './stoppable.ts'
import { withMemory } from './with-memory.ts'

export function reembedAll({ all, json }: JsonOption & { readonly all?: true }, io: CliIo): Promise<void> {
  return withMemory(io, async ({ bank, user, store, tenant, embedder: open }) => {
    const embedder = await open()
    if (embedder === undefined) {
      throw new ContextdError('EMBEDDER_UNAVAILABLE', {
        problem: 'no embedder available',
        hint: 'Check `ctxd config get memory.embedder` and the messages above. Word search still works.',
      })
    }
    const line = progressLine(io, 'memory')
    const { signal, release } = stoppable()
    try {
      const answer = await reembed(
        { store, tenant, bank, embedder, archiver: user.archiver },
        { all: all === true, onProgress: (done, total) => line.show({ done, total }), signal },
      )
      line.clear()
      const { model } = embedder
      const { done, left } = answer
      // The vector length of a server is known from its first response.
      const kept = answer.after.find((one) => one.model === model)?.dimension ?? 0
      const dimension = embedder.dimension || kept
      if (json) printJson({ model, dimension, ...answer }, io)
      else {
        printLine(`before: ${countsText(answer.before)}`, io)
        printLine(`after:  ${countsText(answer.after)}`, io)
        printLine(`${memories(done)} embedded with ${model} (${dimension} dimensions).`, io)
      }
      if (signal.aborted && left > 0) sayStopped(memories(left), io)
      else if (left > 0)
        note(
          `${memories(left)} changed in the meantime; run it again to embed ${left === 1 ? 'it' : 'them'}`,
          io,
        )
    } finally {
      release()
      line.clear()
    }
  })
}

/** `1,200 memories of static-1 (256), 3 memories without` */
function countsText(counts: Reembedded['before']): string {
  if (counts.length === 0) return 'no memories'
  return counts
    .map(({ model, dimension, memories: count }) =>
      model === undefined
        ? `${memories(count)} without`
        : `${memories(count)} of ${model} (${dimension ?? '?'})`,
    )
    .join(', ')
}
