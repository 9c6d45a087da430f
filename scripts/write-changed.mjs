import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Leaves a file that has these contents untouched: a program may be running from it. */
export function writeChanged(path, contents) {
  if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents)
}
