import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** An environment variable that marks a server and its child processes, to find leftovers. */
export interface ProcessMark {
  readonly env: Record<string, string>
  /** The running processes with this mark. */
  processes(): number[]
}

export function newProcessMark(): ProcessMark {
  const mark = randomUUID()
  return {
    env: { TEST_PROCESS_MARK: mark },
    processes: () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`TEST_PROCESS_MARK=${mark}`))
        .map(Number),
  }
}

/** Empty for processes that exited, and those of other users. */
function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    return []
  }
}
