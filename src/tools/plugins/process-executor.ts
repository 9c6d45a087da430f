import { join } from 'node:path'

import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { ToolExecutor } from './executor.ts'
import { serveHostChannel } from './host-channel.ts'

/** Tells a tool where the granted folders are: it starts in its own. */
const WORKSPACE_VARIABLE = 'CONTEXTD_WORKSPACE'

/**
 * Runs a tool as a program in the sandbox: JSON on standard input, the result on standard output, contextd on
 * descriptor 3.
 */
export function processExecutor(sandbox: Pick<Sandbox, 'run'>): ToolExecutor {
  return {
    run({ folder, executable, input, workspace, confinement, methods, signal, onFault }) {
      return sandbox.run(
        {
          run: [join(folder, executable)],
          cwd: folder,
          env: { [WORKSPACE_VARIABLE]: workspace },
          stdin: JSON.stringify(input),
          onChannel: (channel) => serveHostChannel(channel, methods, onFault),
        },
        { ...confinement, folders: [...confinement.folders, { path: folder, access: 'read' }] },
        { signal },
      )
    },
  }
}
