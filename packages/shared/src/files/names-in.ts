import { lstatSync, readdirSync } from 'node:fs'

/** The sorted names in a folder; empty if it does not exist or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Whether the file exists, including broken and circular links, which are then reported as unreadable. */
export function hasName(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
