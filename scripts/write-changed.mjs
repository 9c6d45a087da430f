import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Does not rewrite a file that already has these contents: a program may be running from it. */
export function writeChanged(path, contents) {
  if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents)
}
