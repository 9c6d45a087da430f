/** Which file each part of a patch changes, in the format of `apply_patch`. Pure. */

export interface PatchSection {
  readonly path: string
  /** Lines of the file, each behind a blank, `+` or `-`. */
  readonly start: number
  readonly end: number
}

const controlLine = /^\*\*\*/
const fileLine = /^\*\*\* (?:Add|Update|Delete) File:(.*)$/
/** The file before it is still the one that is changed. */
const sameFileLine = /^\*\*\* (?:Move to:|End of File)/
/** Some clients read a line that names a file also behind blanks, where for others it is a line of the file before. */
const doubtfulLine = /^[^+\-*].*\*\*\* ?(?:Add|Update|Delete) ?File/

/** In order. Lines that no file is certain for are in none of them, and neither are those that control the patch. */
export function patchSections(text: string): PatchSection[] {
  const sections: PatchSection[] = []
  let path: string | undefined
  let start = 0
  const close = (end: number): void => {
    if (path !== undefined && start < end) sections.push({ path, start, end })
  }
  let at = 0
  for (const line of text.split('\n')) {
    const next = Math.min(at + line.length + 1, text.length)
    if (controlLine.test(line) || doubtfulLine.test(line)) {
      close(at)
      if (!sameFileLine.test(line)) path = fileLine.exec(line.trimEnd())?.[1]?.trim() || undefined
      start = next
    }
    at = next
  }
  close(text.length)
  return sections
}
