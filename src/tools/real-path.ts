import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** These expose the kernel and devices, not files, and our own memory is among them. */
export const kernelFolders: readonly string[] = ['/proc', '/sys', '/dev']

/** Resolves links, as far as the path exists. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPathOf(above), path.slice(above.length))
  }
}

/** Resolves each path once: if someone with write access above moves the folder, it must not become another place. */
export function resolveOnce(): (path: string) => string {
  const resolved = new Map<string, string>()
  return (path) => {
    const known = resolved.get(path) ?? realPathOf(path)
    resolved.set(path, known)
    return known
  }
}
