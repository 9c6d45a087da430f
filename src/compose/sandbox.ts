import { join } from 'node:path'

import type { Config } from '../platform/config/config-schema.ts'
import { loadConfig } from '../platform/config/load-config.ts'
import { resolvePaths, type Paths } from '../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { openToolchains } from '../platform/toolchains.ts'
import type { SandboxLimits, Sandbox } from '../sandbox/sandbox.ts'
import type { Foundation } from './foundation.ts'

/** Loaded and opened on first use: clients wait for their server to start, and not every session runs commands. */
export function openSandbox({ sandbox: { mode } }: Config, paths: Paths): Sandbox {
  const folder = join(paths.state, 'sandbox')
  const open = async (): Promise<Sandbox> =>
    mode === 'off'
      ? (await import('../sandbox/unconfined.ts')).createUnconfined({ folder })
      : (await import('../sandbox/bubblewrap.ts')).openBubblewrap({ folder })
  let opening: Promise<Sandbox> | undefined
  const opened = (): Promise<Sandbox> => (opening ??= open())
  return {
    state: async () => (await opened()).state(),
    run: async (...args) => (await opened()).run(...args),
    start: async (...args) => (await opened()).start(...args),
    close: async () => (await opening)?.close(),
  }
}

/** Without store, rules and tools, so it works even if one of those does not load. */
export function openConfiguredSandbox(env: NodeJS.ProcessEnv): {
  sandbox: Sandbox
  readable: readonly string[]
  limits: SandboxLimits
  maxCacheBytes: number
} {
  const paths = resolvePaths(env)
  const { config } = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
  ensurePrivateFolder(paths.state)
  return {
    sandbox: openSandbox(config, paths),
    readable: openToolchains(config.sandbox.readable).folders,
    limits: sandboxLimits(config),
    maxCacheBytes: maxCacheBytesIn(config),
  }
}

/** Of all caches of commands together. */
export function maxCacheBytesIn({ sandbox }: Config): number {
  return sandbox.caches_mb * 2 ** 20
}

export function sandboxLimits({ sandbox }: Config): SandboxLimits {
  const megabyte = 1 << 20
  return {
    timeMs: sandbox.time_ms,
    cpuSeconds: sandbox.cpu_seconds,
    memoryBytes: sandbox.memory_mb * megabyte,
    processes: sandbox.processes,
    fileBytes: sandbox.file_mb * megabyte,
    outputBytes: sandbox.output_kb * 1024,
    diskBytes: sandbox.disk_mb * megabyte,
    diskFiles: sandbox.disk_files,
  }
}

/** `NAME` passes on the value from our environment, `NAME=value` sets one. */
export function sandboxEnv({ sandbox }: Config, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    sandbox.env.flatMap((entry) => {
      const at = entry.indexOf('=')
      const name = at === -1 ? entry : entry.slice(0, at)
      const value = at === -1 ? env[entry] : entry.slice(at + 1)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Reminds users at every start that the sandbox is off. */
export function warnIfOff({ config, paths, project, log, audit }: Foundation): void {
  if (config.sandbox.mode !== 'off') return
  log('warn', 'THE SANDBOX IS OFF: agents run commands with all your permissions', { file: paths.configFile })
  audit.event('sandbox-off', {}, { project })
}
