/** Reads memories from files: JSON lines, Markdown files with one memory each, or any other Markdown. */

import { isUtf8 } from 'node:buffer'
import { readdirSync, statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'

import { ContextdError } from '../../../core/errors/errors.ts'
import type { ReadMemory } from '../../../memory/bank/import.ts'
import { fromJsonLine, type PortableDefaults } from '../../../memory/bank/jsonl.ts'
import { fromMarkdown } from '../../../memory/bank/markdown.ts'
import { fromNotes, isMemoryFile, type ScrubbedNotes } from './notes.ts'
import { isBlankLine, splitLines } from '../../../platform/line-splitter.ts'
import { readInput } from '@contextd/shared/cli/bytes'
import type { CliIo } from '@contextd/shared/cli/output'

/** A memory has at most some fifty thousand characters; anything much longer is not a memory file. */
const maxFileBytes = 4_000_000

/** All records in these files and folders, valid or not. */
export async function readMemories(
  paths: readonly string[],
  defaults: PortableDefaults,
  scrub: (text: string) => ScrubbedNotes,
  io: CliIo,
): Promise<ReadMemory[]> {
  const read: ReadMemory[] = []
  for (const path of paths) {
    for (const file of filesAt(path, io)) {
      if (isMarkdown(file)) {
        const text = await readInputText(file, io)
        if (isMemoryFile(text)) read.push({ file, line: 1, parsed: fromMarkdown(text, file, defaults) })
        else for (const each of fromNotes(scrub(text), file, defaults)) addOnce(each, read)
      } else {
        await readLines(file, defaults, io, read)
      }
    }
  }
  return read
}

/** Notes may say the same in several places. */
function addOnce(each: ReadMemory, read: ReadMemory[]): void {
  const { parsed } = each
  const isKnown = read.some(
    (one) => parsed.ok && one.parsed.ok && one.parsed.value.memory.id === parsed.value.memory.id,
  )
  if (!isKnown) read.push(each)
}

function filesAt(path: string, io: CliIo): string[] {
  const isFolder = path !== '-' && statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory()
  if (isFolder !== true) return [path]
  const files = readdirSync(resolve(io.cwd, path)).filter(isMarkdown).sort()
  if (files.length === 0) throw invalid(path, 'contains no Markdown files')
  return files.map((name) => {
    const file = join(path, name)
    // Reading a pipe could block forever.
    if (statSync(resolve(io.cwd, file), { throwIfNoEntry: false })?.isFile() !== true)
      throw invalid(file, 'is not a regular file')
    return file
  })
}

export function isMarkdown(path: string): boolean {
  return /^\.(?:md|markdown)$/i.test(extname(path)) && !basename(path).startsWith('.')
}

async function readLines(
  file: string,
  defaults: PortableDefaults,
  io: CliIo,
  read: ReadMemory[],
): Promise<void> {
  const shown = file === '-' ? 'stdin' : file
  let line = 0
  const wrong = (message: string): void => {
    const problem = { file: shown, line, column: 1, path: '$', message }
    read.push({ file: shown, line, parsed: { ok: false, problems: [problem] } })
  }
  const feed = splitLines(maxFileBytes, 0, {
    line(bytes) {
      line += 1
      if (isBlankLine(bytes)) return
      if (!isUtf8(bytes)) return wrong('is not UTF-8 text')
      const text = line === 1 ? bytes.toString().replace(/^\uFEFF/, '') : bytes.toString()
      read.push({ file: shown, line, parsed: fromJsonLine(text, { file: shown, line }, defaults) })
    },
    tooLong() {
      line += 1
      wrong(`is longer than ${maxFileBytes} bytes`)
    },
  })
  for await (const chunk of readInput(file, io)) feed(Buffer.from(chunk))
  // The last line may lack a newline.
  feed(Buffer.from('\n'))
}

/** A small text as a whole. */
export async function readInputText(file: string, io: CliIo): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of readInput(file, io)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxFileBytes) throw invalid(file, `is longer than ${maxFileBytes} bytes`)
  }
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw invalid(file, 'is not UTF-8 text')
  return bytes.toString()
}

function invalid(file: string, problem: string): ContextdError {
  return new ContextdError('MEMORY_FILE_INVALID', { problem: `${file} ${problem}`, file })
}
