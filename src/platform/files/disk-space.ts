import { statfsSync } from 'node:fs'

/** With less a store cannot be written to for long. */
const minBytes = 1 << 20

export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < minBytes
}
