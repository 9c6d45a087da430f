import { resolvePaths } from '../platform/paths.ts'
import { daemonStatus } from './start-daemon.ts'
import { withControl, type ControlApi } from './control.ts'
import type { CliIo } from './ui/output.ts'

/**
 * For what needs nothing but the store: asked of whoever serves, and where nobody does, done by `here` without a pipeline. So
 * it works also where the rules or the configuration do not load, and where nothing can be recorded any more.
 */
export async function controlOrStore<T>(
  io: CliIo,
  ask: (api: ControlApi) => Promise<T>,
  here: () => Promise<T>,
): Promise<T> {
  const isServed = Boolean(io.env.CONTEXTD_ADDR) || (await daemonStatus(resolvePaths(io.env))) !== undefined
  return isServed ? withControl(io, ask) : here()
}
