import { closeSync, readdirSync, readFileSync } from 'node:fs'

/** `O_CLOEXEC` as `/proc` prints it: the kernel closes such a file in every program we start. */
const closesOnExec = 0o2000000

/**
 * Closes files that our parent left open and that every program we start would inherit, sandboxes included. Call it
 * when the process starts. Files opened by Node close on exec, and Node handles the lowest of the inherited ones; those
 * after a gap in the numbers are left to us.
 */
export function closeInheritedFiles(): void {
  for (const file of openFiles()) {
    if (file > 2 && !closesByItself(file)) closeIfOpen(file)
  }
}

function openFiles(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    // Not Linux, which has no sandboxes either.
    return []
  }
}

function closesByItself(file: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, 'utf8'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & closesOnExec) !== 0
  } catch {
    // The folder that was just read, already closed.
    return true
  }
}

function closeIfOpen(file: number): void {
  try {
    closeSync(file)
  } catch {
    // Already closed.
  }
}
