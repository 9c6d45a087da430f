import { readdirSync } from 'node:fs'

/** What is in a folder, sorted; nothing where it is none or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
