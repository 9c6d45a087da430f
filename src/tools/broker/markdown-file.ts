import { dirname, sep } from 'node:path'

import { realPathOf } from '../real-path.ts'
import { readBounded } from './bounded-file.ts'

export type MarkdownFileRead =
  | { readonly kind: 'text'; readonly text: string; readonly realPath: string; readonly mode: number }
  | {
      readonly kind: 'refused'
      readonly code: 'CONTEXT_FILE_MISSING' | 'CONTEXT_NOT_MARKDOWN'
      /** Reveals neither the file's content nor its location. */
      readonly problem: string
    }

const largest = 65_536
const isMarkdownName = (path: string): boolean => /\.md$/i.test(path)

/**
 * The text of a file, if both the given name and the opened file are Markdown. Files in `project`, where agents work,
 * must not lead out of it.
 */
export async function readMarkdownFile(
  path: string,
  stateFolder: string,
  project?: string,
): Promise<MarkdownFileRead> {
  if (!isMarkdownName(path)) return notMarkdown('its name does not end in .md')
  const read = await readBounded(path, largest)
  if (read.kind !== 'file') {
    const code = read.kind === 'unsuitable' ? 'CONTEXT_NOT_MARKDOWN' : 'CONTEXT_FILE_MISSING'
    return { kind: 'refused', code, problem: `it ${read.why}` }
  }
  const { bytes, realPath, mode } = read
  if (!isMarkdownName(realPath)) return notMarkdown('it leads to a file whose name does not end in .md')
  if (realPath.startsWith(realPathOf(stateFolder) + sep)) {
    return notMarkdown('it is in a folder of contextd itself')
  }
  if (project !== undefined && leadsOut(path, realPath, project)) {
    return notMarkdown('it is in the project, where agents can create links, and leads out of it')
  }
  const text = textOf(bytes)
  if (text === undefined) return notMarkdown('it is not UTF-8 text')
  return { kind: 'text', text, realPath, mode }
}

/** An agent that can write in the project could make the broker read other files for it. */
function leadsOut(path: string, realPath: string, project: string): boolean {
  const folder = realPathOf(project) + sep
  if (realPath.startsWith(folder)) return false
  return path.startsWith(project + sep) || (realPathOf(dirname(path)) + sep).startsWith(folder)
}

function notMarkdown(problem: string): MarkdownFileRead {
  return { kind: 'refused', code: 'CONTEXT_NOT_MARKDOWN', problem }
}

function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
