import { ContextdError } from '../../core/errors/errors.ts'
import type { ToolHost } from '../../core/ports.ts'
import type { Toolchains } from '../../platform/toolchains.ts'
import type {
  Command,
  Confinement,
  Ended,
  RunOptions,
  SandboxLimits,
  Sandbox,
} from '../../sandbox/sandbox.ts'
import { resolveOnce } from '../real-path.ts'
import type { GitIdentity } from '../repositories/git-identity.ts'
import type { CommandCaches, OpenCaches } from './caches/command-caches.ts'
import { foldersFor } from './confinement.ts'

export interface ShellOptions {
  readonly sandbox: Sandbox
  /** The limits of every command; a call may request another time. */
  readonly limits: SandboxLimits
  /** The environment of every command. */
  readonly env: Readonly<Record<string, string>>
  /** Of the user, for commits; `env` and the variables of a call override it. */
  readonly gitIdentity: GitIdentity
  readonly toolchains: Toolchains
  /** Folders of contextd, which no command sees. */
  readonly ownFolders: readonly string[]
  readonly protect: readonly string[]
  /** Undefined if commands are not confined: then programs have the caches of the user. */
  readonly caches: Pick<CommandCaches, 'open'> | undefined
  /** Opens the network of a command; undefined if programs have the network of the machine. */
  readonly openBridge: (host: ToolHost) => Promise<ShellBridge | undefined>
}

export interface ShellBridge {
  /** Absent if no host or service is granted: then a proxy inside the sandbox refuses every host. */
  readonly socket?: string
  readonly services?: NonNullable<Confinement['services']>
  readonly env: Readonly<Record<string, string>>
  /** Hosts that were requested but not granted, and why: programs themselves show only a status code. */
  readonly refused: RefusedHosts
  /** Adds what the proxy inside refused. */
  noteRefused(requests: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** By `host:port`. */
export type RefusedHosts = ReadonlyMap<
  string,
  { readonly reason: string; readonly grant?: string | undefined }
>

export interface ShellEnded extends Ended {
  readonly refusedHosts: RefusedHosts
  /** The only network was a proxy, and no name resolved. */
  readonly isProxied: boolean
}

/** Runs commands confined to the grants of the call. */
export interface Shell {
  /** Links resolved on first use. */
  workspaceOf(project: string): string
  readonly limits: SandboxLimits
  /** Whether each command has a loopback of its own. */
  readonly isConfined: boolean
  run(command: Command, terms: ShellTerms): Promise<ShellEnded>
}

export interface ShellTerms {
  readonly host: ToolHost
  /** Links resolved. */
  readonly workspace: string
  readonly timeMs: number
  /** For a command that outlives its call: what ends it, and what receives its output. */
  readonly background?: Required<Pick<RunOptions, 'signal' | 'onOutput'>>
}

export function createShell(options: ShellOptions): Shell {
  const { sandbox, limits, env, gitIdentity, toolchains, ownFolders, protect } = options
  return {
    limits,
    isConfined: options.caches !== undefined,
    workspaceOf: resolveOnce(),
    async run(command, { host, workspace, timeMs, background }) {
      const { call } = host
      const seen = foldersFor({ grants: call.grants, workspace, ownFolders, protect })
      if (seen.folders.length === 0) {
        throw new ContextdError('PATH_NOT_GRANTED', {
          agent: call.principal?.agent,
          action: 'run commands in',
          hint: 'Commands see whole folders only. Grant one to read: `fs:read:**`, or `fs:read:folder/**`.',
        })
      }
      const roots = seen.folders.filter(({ access }) => access === 'write').map(({ path }) => path)
      const identity = roots.length === 0 ? {} : await gitIdentity(workspace, roots)
      // A command that may run longer may also compute longer.
      const longer = Math.max(1, timeMs / limits.timeMs)
      const bridge = await options.openBridge(host)
      let caches: OpenCaches | undefined
      try {
        caches = options.caches?.open(call, workspace)
        const confinement: Confinement = {
          ...seen,
          folders: [
            ...toolchains.folders.map((path) => ({ path, access: 'read' as const })),
            ...seen.folders,
          ],
          caches: caches?.mounts ?? [],
          programs: toolchains.programs,
          limits: { ...limits, timeMs, cpuSeconds: Math.ceil(limits.cpuSeconds * longer) },
          ...(bridge?.socket !== undefined && {
            network: bridge.socket,
            services: bridge.services ?? [],
          }),
          refusesHosts: bridge !== undefined && bridge.socket === undefined,
        }
        const ended = await sandbox.run(
          { ...command, env: { ...identity, ...env, ...bridge?.env, ...command.env } },
          confinement,
          background ?? {
            signal: call.signal,
            onProgress: ({ elapsedMs, outputBytes }) =>
              host.progress({
                progress: Math.round(elapsedMs / 1000),
                message: `running for ${Math.round(elapsedMs / 1000)} s, ${outputBytes} bytes of output`,
              }),
          },
        )
        await bridge?.noteRefused(ended.refusedRequests)
        return { ...ended, refusedHosts: bridge?.refused ?? new Map(), isProxied: bridge !== undefined }
      } finally {
        caches?.release()
        await bridge?.close()
      }
    },
  }
}
