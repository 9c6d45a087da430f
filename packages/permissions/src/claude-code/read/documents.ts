/** Markdown files of a project, which users and agents follow as instructions. */

import { readSmallText } from '@contextd/shared/files/small-file'
import { walkFolder } from '@contextd/shared/files/walk'
import type { Document } from '../setup/setup.ts'

const maxDocuments = 2000
const maxCharacters = 20_000_000

/** Skips ignored files and dependencies. Stops at a limit, with the first omitted file as the last item. `known`: texts already read. */
export function* readDocuments(
  project: string,
  known: ReadonlyMap<string, string> = new Map(),
): Generator<Document> {
  let count = 0
  let length = 0
  const ignore = (): void => undefined
  const files = walkFolder({
    root: project,
    folder: project,
    ignoreFiles: ['.gitignore'],
    onIgnored: ignore,
    onSkip: ignore,
    onWarning: ignore,
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
