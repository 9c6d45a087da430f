import { closeSync, readdirSync, readFileSync } from 'node:fs'

/** `O_CLOEXEC` as `/proc` writes it: the kernel closes such a file in whatever we start. */
const closesOnExec = 0o2000000

/**
 * Closes the files that whoever started us left open and that would be open in everything we start, sandboxes
 * included. To be called at the start of the process. Everything that Node opens closes by itself, and so do the lowest
 * of the inherited files, which Node sees to; those beyond a gap in the numbers are left to us.
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
    // Not Linux: there are no sandboxes either.
    return []
  }
}

function closesByItself(file: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, 'utf8'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & closesOnExec) !== 0
  } catch {
    // The folder that was just read, closed again.
    return true
  }
}

function closeIfOpen(file: number): void {
  try {
    closeSync(file)
  } catch {
    // Closed already.
  }
}
