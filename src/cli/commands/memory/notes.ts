/** Markdown that was not written as memories: one memory for each section, named after its headings. Pure. */

import { basename, extname } from 'node:path'

import { firstSentence } from '@contextd/shared/text/first-sentence'
import type { ReadMemory } from '../../../memory/bank/import.ts'
import { fromFields, portableIssues, type PortableDefaults } from '../../../memory/bank/jsonl.ts'
import { readMemoryMarkdown } from '../../../memory/bank/markdown.ts'
import { memoryLimits } from '../../../memory/bank/memory-fields.ts'
import { markdownChunks } from '../../../memory/repository/markdown-chunks.ts'

/** Fields that only files of memories have. Other front matter is common, with `title` and `tags`. */
const ownFields = ['id', 'description', 'outcome']

/** Whether it begins with the fields of a memory. If they are misspelled, the error names the line. */
export function isMemoryFile(text: string): boolean {
  if (!/^\uFEFF?---\r?\n/.test(text)) return false
  const read = readMemoryMarkdown(text, '')
  return !read.ok || ownFields.some((field) => Object.hasOwn(read.fields, field))
}

/** Scrubbed before it is split: a part of a secret is not recognized. */
export interface ScrubbedNotes {
  readonly text: string
  /** The session that numbered its tokens. */
  readonly session: string
}

export function fromNotes(
  { text, session }: ScrubbedNotes,
  file: string,
  defaults: PortableDefaults,
): ReadMemory[] {
  const { lines, first } = linesBelowHead(text)
  const source = basename(file, extname(file))
  const chunks = markdownChunks(lines).map(({ name, firstLine, lastLine }) => {
    const content = lines
      .slice(firstLine - 1, lastLine)
      .join('\n')
      .replace(headingAlone, '')
      .trim()
    return { title: name === '' ? source : name, content, line: first + firstLine }
  })
  return chunks
    .filter(({ content }) => content !== '')
    .map(({ title, content, line }) => {
      const fields = {
        title: title.slice(0, memoryLimits.title),
        description: summaryOf(content),
        content,
        outcome: 'success',
        tags: [source.slice(0, memoryLimits.tag)],
        tokens_of: session,
      }
      const problems = portableIssues(fields).map(({ path, message }) => ({
        file,
        line,
        column: 1,
        path: String(path[0] ?? '$'),
        message,
      }))
      const parsed =
        problems.length > 0
          ? ({ ok: false, problems } as const)
          : ({ ok: true, value: fromFields(fields, defaults) } as const)
      return { file, line, parsed }
    })
}

/** The title has it. */
const headingAlone = /^ {0,3}(?:#{1,6}(?:[ \t][^\n]*)?|[^\n]+\n {0,3}(?:=+|-{2,})[ \t]*)(?:\n|$)/

/** For a title or a description that nobody wrote: the first sentence, if possible not of code or a table. */
export function summaryOf(content: string): string {
  const lines = content.split('\n').map((line) => line.trim())
  const line = lines.find((one) => /^(?![`~|])/.test(one) && /[\p{L}\p{N}]/u.test(one)) ?? content
  return firstSentence(line.replace(/^[#>*+-]+ /, ''))
}

/** Without front matter; `first` is the number of lines above. */
function linesBelowHead(text: string): { lines: string[]; first: number } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  return { lines: lines.slice(end + 1), first: end + 1 }
}
