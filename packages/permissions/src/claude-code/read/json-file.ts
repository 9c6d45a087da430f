/** Reads a JSON file as Claude Code does, and reports where that differs from what a user would expect. */

import { isJsonObject } from '@contextd/shared/json/value'
import { maxJsonLength, parseJson, type JsonPath } from '@contextd/shared/json/json-source'
import { readSmallFile } from '@contextd/shared/files/small-file'
import { unreadableFile, voidedKey, type JsonFile, type FileProblem } from '../../files/client-files.ts'

/** A value in a JSON file. */
export interface JsonPart {
  readonly file: JsonFile
  readonly path: JsonPath
}

/** `loss`: the consequence of an unusable file, such as `Claude Code ignores the whole file`. */
export function readJsonFile(file: string, loss: string, problems: FileProblem[]): JsonFile | undefined {
  const read = readSmallFile(file, maxJsonLength)
  if (read.kind === 'missing') return undefined
  if (read.kind === 'unreadable') {
    problems.push(unreadableFile(file, `The file ${read.why}, so its contents are unknown.`))
    return undefined
  }
  const text = read.bytes.toString()
  // The client treats an empty file as missing.
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
            message: `JSON allows no comments or trailing commas: ${loss}.`,
            fix: 'Remove the comments and trailing commas.',
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
      wrongShape({ file, text, document, value: {} }, [], `The file must contain an object: ${loss}`),
    )
    return undefined
  }
  for (const key of document.voided) problems.push(voidedKey(file, key))
  return { file, text, document, value: document.value }
}

/** `what`: a sentence without its final period. */
export function wrongShape({ file, document }: JsonFile, path: JsonPath, what: string): FileProblem {
  return {
    file,
    ...jsonPlace(document, path),
    kind: 'wrong-shape',
    message: `${what}.`,
    fix: 'Change it to the structure that Claude Code expects.',
  }
}

export function jsonPlace(
  { locate }: JsonFile['document'],
  path: JsonPath,
  part: 'value' | 'key' = 'value',
): { readonly line: number; readonly column: number } {
  return locate(path, part) ?? { line: 1, column: 1 }
}
