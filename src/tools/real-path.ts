import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** They speak for the kernel and for devices: what is in them are no files, and our own memory is among them. */
export const kernelFolders: readonly string[] = ['/proc', '/sys', '/dev']

/** Without links, as far as the path exists. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPathOf(above), path.slice(above.length))
  }
}

/** The same, found out once: a folder that can be moved by whoever writes above it must not become another place. */
export function resolveOnce(): (path: string) => string {
  const resolved = new Map<string, string>()
  return (path) => {
    const known = resolved.get(path) ?? realPathOf(path)
    resolved.set(path, known)
    return known
  }
}
