/** Markdown of a project that people and agents take instructions from. */

import { readSmallText } from '@contextd/shared/files/small-file'
import { walkFolder } from '@contextd/shared/files/walk'
import type { Document } from '../setup/setup.ts'

const maxDocuments = 2000
const maxCharacters = 20_000_000

/** What git ignores is left out, as is what others wrote; bounded in number and size: the first that is left out comes last. `known`: texts that were read already. */
export function* readDocuments(
  project: string,
  known: ReadonlyMap<string, string> = new Map(),
): Generator<Document> {
  let count = 0
  let length = 0
  const nothing = (): void => undefined
  const files = walkFolder({
    root: project,
    folder: project,
    ignoreFiles: ['.gitignore'],
    onIgnored: nothing,
    onSkip: nothing,
    onWarning: nothing,
  })
  for (const { name, path } of files) {
    if (!/\.(?:md|mdx|markdown)$/i.test(name) || /(?:^|\/)node_modules\//.test(name)) continue
    const file = path.toString()
    const text = known.get(file) ?? readSmallText(file)
    if (text === undefined) continue
    count++
    length += text.length
    if (count > maxDocuments || length > maxCharacters) return yield { file, text: '', isLeftOut: true }
    yield { file, text }
  }
}
