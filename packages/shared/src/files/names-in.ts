import { lstatSync, readdirSync } from 'node:fs'

/** What is in a folder, sorted; nothing where it is none or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Also of a link that leads nowhere or to itself: it is found, and then it is said that it cannot be read. */
export function hasName(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
