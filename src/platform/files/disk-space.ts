import { statfsSync } from 'node:fs'

/** With less space, a store will soon fail to write. */
const minBytes = 1 << 20

export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < minBytes
}
