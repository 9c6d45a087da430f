/** Reads a JSON file as Claude Code does, and notes where that differs from what a user sees. */

import { isJsonObject } from '@contextd/shared/json/value'
import { maxJsonLength, parseJson, type JsonPath } from '@contextd/shared/json/json-source'
import { readSmallFile } from '@contextd/shared/files/small-file'
import { unreadableFile, voidedKey, type JsonFile, type FileProblem } from '../../files/client-files.ts'

/** Something in a JSON file. */
export interface JsonPart {
  readonly file: JsonFile
  readonly path: JsonPath
}

/** `loss`: what follows where the file cannot be used, such as `Claude Code ignores the whole file`. */
export function readJsonFile(file: string, loss: string, problems: FileProblem[]): JsonFile | undefined {
  const read = readSmallFile(file, maxJsonLength)
  if (read.kind === 'missing') return undefined
  if (read.kind === 'unreadable') {
    problems.push(unreadableFile(file, `The file ${read.why}, so nothing is known of what it should say.`))
    return undefined
  }
  const text = read.bytes.toString()
  // An empty file says as much as none.
  if (text.trim() === '') return undefined
  const document = parseJson(text, { duplicates: true, deep: true })
  if (!document.ok) {
    const isCommented = parseJson(text, { comments: true, duplicates: true, deep: true }).ok
    problems.push({
      file,
      line: document.line,
      column: document.column,
      ...(isCommented
        ? {
            kind: 'comments',
            message: `Plain JSON has no comments and no comma behind the last item: ${loss}.`,
            fix: 'Remove the comments and the last commas.',
          }
        : {
            kind: 'malformed',
            message: `This is not JSON (${document.message}): ${loss}.`,
            fix: 'Correct the text at this place.',
          }),
    })
    return undefined
  }
  if (!isJsonObject(document.value)) {
    problems.push(
      wrongShape({ file, text, document, value: {} }, [], `The file must hold an object: ${loss}`),
    )
    return undefined
  }
  for (const key of document.voided) problems.push(voidedKey(file, key))
  return { file, text, document, value: document.value }
}

/** `what`: a sentence without its full stop. */
export function wrongShape({ file, document }: JsonFile, path: JsonPath, what: string): FileProblem {
  return {
    file,
    ...jsonPlace(document, path),
    kind: 'wrong-shape',
    message: `${what}.`,
    fix: 'Give it the shape that Claude Code expects.',
  }
}

export function jsonPlace(
  { locate }: JsonFile['document'],
  path: JsonPath,
  part: 'value' | 'key' = 'value',
): { readonly line: number; readonly column: number } {
  return locate(path, part) ?? { line: 1, column: 1 }
}
