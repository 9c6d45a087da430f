import { ContextdError } from '../../core/errors/errors.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { GuardReport, RepositoryGuard } from './repository-guard.ts'

/** A sandbox whose commands cannot make the user's git run a program. Reports everything that was moved aside. */
export function guardRepositories(
  sandbox: Sandbox,
  guard: Pick<RepositoryGuard, 'begin'>,
  report: GuardReport,
): Sandbox {
  return {
    ...sandbox,
    async run(command, confinement, options = {}) {
      const stop = new AbortController()
      const signal =
        options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal])
      const watch = await guard.begin(confinement, { ...report, onStubborn: () => stop.abort(stubborn()) })
      try {
        const ended = await sandbox.run(command, withHeld(confinement, watch.held), { ...options, signal })
        if (ended.movedAside.length > 0) report.onMoved(ended.movedAside)
        return { ...ended, movedAside: [...ended.movedAside, ...(await watch.end())] }
      } finally {
        await watch.end()
      }
    },
    async start(command, confinement) {
      let kill = (): void => {}
      const watch = await guard.begin(confinement, { ...report, onStubborn: () => kill() })
      try {
        const started = await sandbox.start(command, withHeld(confinement, watch.held))
        kill = started.kill
        const untilChecked = async (): ReturnType<() => typeof started.ended> => {
          const ended = await started.ended
          await watch.end()
          return ended
        }
        return { ...started, ended: untilChecked() }
      } catch (error) {
        await watch.end()
        throw error
      }
    },
  }
}

function withHeld<T extends { readonly guarded: readonly string[] }>(
  confinement: T,
  held: readonly string[],
): T {
  return { ...confinement, guarded: [...confinement.guarded, ...held] }
}

function stubborn(): ContextdError {
  return new ContextdError('SANDBOX_UNAVAILABLE', {
    cause: 'the command kept creating files that make git run programs',
    hint: 'Only the user may write hooks and git settings that run programs.',
  })
}
