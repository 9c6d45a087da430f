import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'

import { isMissingProgram } from '@contextd/shared/executable'
import { closeInheritedFiles } from '../../../sandbox/inherited-files.ts'
import { ConnectionLost } from '../connection.ts'
import { endAll, markVariable, newMark, signalGroup } from './leftovers.ts'
import { endsSoon, type ServerProcess } from './server-process.ts'
import { reapOnExit } from './orphan-reaper.ts'

export interface ServerProgram {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

let areFilesClosed = false

/** Starts the program unsandboxed, with the rights of contextd. Throws `ConnectionLost`. */
export async function startProcess({ command, args, cwd, env }: ServerProgram): Promise<ServerProcess> {
  // Files that contextd inherited open would be inherited by the server too.
  if (!areFilesClosed) closeInheritedFiles()
  areFilesClosed = true
  const mark = newMark()
  const child = spawn(command, [...args], {
    cwd,
    env: { ...env, [markVariable]: mark },
    // In its own process group, which is killed as a whole.
    detached: true,
    stdio: 'pipe',
  })
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(
        signal === null ? `its program ended with exit code ${code}` : `its program was ended by ${signal}`,
      ),
    )
  })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new ConnectionLost(startProblem(error as NodeJS.ErrnoException, { command, cwd, env }), {
      sent: false,
    })
  }
  // After the start, only a failed signal can cause this event.
  child.on('error', () => {})
  const group = child.pid!
  const disarm = reapOnExit(group, mark)

  const stop = async (): Promise<void> => {
    child.stdin.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await endsSoon(exited)) break
      signalGroup(group, signal)
    }
    await exited
    await endAll(group, mark)
    disarm()
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  }
  let stopping: Promise<void> | undefined
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    stop: () => (stopping ??= stop()),
  }
}

/** Omits the program's name, which may contain an expanded secret. */
function startProblem(
  error: NodeJS.ErrnoException,
  { command, cwd, env }: Omit<ServerProgram, 'args'>,
): string {
  if (!existsSync(cwd)) return 'its working directory does not exist'
  if (isMissingProgram(error, command, env)) return 'its program was not found'
  return `its program cannot be started (${error.code})`
}
