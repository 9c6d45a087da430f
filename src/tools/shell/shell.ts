import type { ToolHost } from '../../core/ports.ts'
import type { Command, Confinement, Ended, Limits, Sandbox } from '../../sandbox/sandbox.ts'
import { resolveOnce } from '../files/real-path.ts'
import { foldersFor } from './confinement.ts'
import type { Toolchains } from './toolchains.ts'

export interface ShellOptions {
  readonly sandbox: Sandbox
  /** Bounds of every command; a call may ask for another time. */
  readonly limits: Limits
  /** Environment of every command. */
  readonly env: Readonly<Record<string, string>>
  readonly toolchains: Toolchains
  /** Folders of contextd itself, which no command sees. */
  readonly ownFolders: readonly string[]
  readonly protect: readonly string[]
  /** Opens the way to the hosts that the call is granted; undefined where it is granted none. */
  readonly openBridge: (host: ToolHost) => Promise<Bridge | undefined>
}

export interface Bridge {
  readonly socket: string
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Runs commands for a call, confined to what the call is granted. */
export interface Shell {
  readonly timeMs: number
  /** Links resolved, as they were when it was first asked for. */
  workspaceOf(project: string): string
  run(command: Command, terms: ShellTerms): Promise<Ended>
}

export interface ShellTerms {
  readonly host: ToolHost
  /** Links resolved. */
  readonly workspace: string
  readonly timeMs: number
}

export function createShell(options: ShellOptions): Shell {
  const { sandbox, limits, env, toolchains, ownFolders, protect, openBridge } = options
  return {
    timeMs: limits.timeMs,
    workspaceOf: resolveOnce(),
    async run(command, { host, workspace, timeMs }) {
      const { call } = host
      const seen = foldersFor({ grants: call.grants, workspace, ownFolders, protect })
      const bridge = await openBridge(host)
      const confinement: Confinement = {
        ...seen,
        folders: [...toolchains.folders.map((path) => ({ path, access: 'read' as const })), ...seen.folders],
        programs: toolchains.programs,
        limits: { ...limits, timeMs },
        ...(bridge !== undefined && { network: bridge.socket }),
      }
      try {
        return await sandbox.run(
          { ...command, env: { ...env, ...bridge?.env, ...command.env } },
          confinement,
          {
            signal: call.signal,
            onProgress: ({ elapsedMs, outputBytes }) =>
              host.progress({
                progress: Math.round(elapsedMs / 1000),
                message: `running for ${Math.round(elapsedMs / 1000)} s, ${outputBytes} bytes of output`,
              }),
          },
        )
      } finally {
        await bridge?.close()
      }
    },
  }
}
