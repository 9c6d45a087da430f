/** Starts a server in the sandbox, with the capabilities of its entry, regardless of the caller. */

import { parseCapability, type Capability } from '../../../core/capability.ts'
import { CodedError } from '../../../core/errors/errors.ts'
import type { Toolchains } from '../../../platform/toolchains.ts'
import type { Confinement, SandboxLimits, Sandbox, Started } from '../../../sandbox/sandbox.ts'
import { isInFolder } from '../../files/path-pattern.ts'
import { realPathOf } from '../../real-path.ts'
import { toolSees, type ViewTerms } from '../../plugins/tool-view.ts'
import { ConnectionLost } from '../connection.ts'
import type { StdioTransport } from '../server.ts'
import { endsSoon, type ServerProcess } from './server-process.ts'

/** Rejects with `ConnectionLost`. */
export type StartConfined = (transport: StdioTransport, project: string) => Promise<ServerProcess>

export interface ConfinedParts extends Omit<ViewTerms, 'workspace'> {
  readonly sandbox: Pick<Sandbox, 'start'>
  /** Only the limits on memory, processes and file size apply. */
  readonly limits: SandboxLimits
  readonly toolchains: Toolchains
  /** Opens network access to the granted hosts; undefined if missing. */
  readonly openBridge: (grants: readonly Capability[]) => Promise<ServerBridge | undefined>
}

export interface ServerBridge {
  readonly socket: string
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** The working directory if the project is not visible in the sandbox; initially empty. */
const emptyFolder = '/tmp'

export function confinedStarter(parts: ConfinedParts): StartConfined {
  return async (transport, project) => {
    try {
      return await startConfined(transport, project, parts)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      const { message, hint } = error.toObject()
      throw new ConnectionLost(hint === undefined ? message : `${message} (${hint})`, { sent: false })
    }
  }
}

async function startConfined(
  transport: StdioTransport,
  project: string,
  { sandbox, limits, toolchains, openBridge, ...terms }: ConfinedParts,
): Promise<ServerProcess> {
  const grants = (transport.sandbox?.capabilities ?? []).map(grantIn)
  const seen = toolSees(grants, { ...terms, workspace: realPathOf(project) })
  const cwd = cwdIn(seen.folders, transport.cwd, project)
  const bridge = grants.some(({ kind }) => kind === 'http:fetch') ? await openBridge(grants) : undefined
  const confinement: Confinement = {
    ...seen,
    folders: [...toolchains.folders.map((path) => ({ path, access: 'read' as const })), ...seen.folders],
    programs: toolchains.programs,
    limits,
    ...(bridge !== undefined && { network: bridge.socket }),
  }
  try {
    const run = [transport.command, ...transport.args] as const
    return running(
      await sandbox.start({ run, cwd, env: { ...bridge?.env, ...transport.env } }, confinement),
      bridge,
    )
  } catch (error) {
    await bridge?.close()
    throw error
  }
}

function running(started: Started, bridge: Pick<ServerBridge, 'close'> | undefined): ServerProcess {
  const { stdin, stdout, stderr, ended, kill } = started
  const stop = async (): Promise<void> => {
    stdin.end()
    if (!(await endsSoon(ended))) kill()
    await ended
    await bridge?.close()
  }
  let stopping: Promise<void> | undefined
  return {
    stdin,
    stdout,
    stderr,
    exited: ended.then(({ exitCode, limit }) =>
      limit === undefined
        ? `its program ended with exit code ${exitCode}`
        : `it exceeded the limit on ${limit}`,
    ),
    stop: () => (stopping ??= stop()),
  }
}

/** Other capabilities are reported, because they have no effect on a server. */
function grantIn(text: string): Capability {
  const capability = parseCapability(text)
  if (capability !== undefined && ['fs:read', 'fs:write', 'http:fetch'].includes(capability.kind))
    return capability
  throw new ConnectionLost('a sandboxed server can be given fs:read, fs:write and http:fetch only', {
    sent: false,
  })
}

function cwdIn(folders: Confinement['folders'], declared: string | undefined, project: string): string {
  const path = realPathOf(declared ?? project)
  if (folders.some((folder) => isInFolder(path, folder.path))) return path
  if (declared === undefined) return emptyFolder
  throw new ConnectionLost('its working directory is not readable in the sandbox', { sent: false })
}
