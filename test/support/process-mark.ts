import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** A variable that a server and all it starts have in their environment, to find what is left of them. */
export interface ProcessMark {
  readonly env: Record<string, string>
  /** The processes that carry it and live. */
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

/** Empty for one that has ended, and for those of other people. */
function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    return []
  }
}
