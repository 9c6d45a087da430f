/** Indexes a repository, or updates its index. */

import { resolve } from 'node:path'

import { OPERATOR } from '../../../core/call.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import type { Operation } from './operation.ts'
import { textIn } from './request.ts'

export const indexOperations: readonly Operation[] = [
  {
    rpc: 'Index/Run',
    long: true,
    async run(request, { runtime, call, signal, progress }) {
      const folder = resolve(runtime.project, textIn(request, 'path') ?? '.')
      // Other folders and their file names are only for the operator.
      if (call.principal?.agent !== OPERATOR && folder !== runtime.project) {
        throw new ContextdError('OPERATOR_REQUIRED', { why: 'agents may index only the project' })
      }
      const repository = await runtime.memory.repository()
      const started = Date.now()
      const isDue = notTooOften()
      const report = await repository.index.index(folder, {
        signal,
        onProgress({ done, total, path }) {
          if (isDue(done, total)) progress({ progress: { done, total, path } })
        },
      })
      const { files, read, indexed, removed, tooLarge, notes } = report
      return {
        folder: report.folder,
        files,
        parts: repository.index.status(report.folder)?.chunks ?? 0,
        read,
        indexed,
        removed,
        too_large: tooLarge,
        seconds: (Date.now() - started) / 1000,
        by_syntax: repository.hasGrammars,
        notes: [...notes],
      }
    },
  },
]

/** Limits progress messages: ten thousand files must not cause ten thousand messages. */
const pauseMs = 100

function notTooOften(): (done: number, total: number) => boolean {
  let last = -Infinity
  return (done, total) => {
    const now = Date.now()
    if (done < total && now - last < pauseMs) return false
    last = now
    return true
  }
}
