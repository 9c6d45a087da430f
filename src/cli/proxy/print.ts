/** Prints a tool's answer on stdout. */

import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { escapeHidden, terminalText } from '@contextd/shared/text/visible-text'

/** The text of an answer; other content is only named. */
export function answerText({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  return blocks.map(blockText).join('\n')
}

function blockText({ type, text, mimeType }: JsonObject): string {
  if (typeof text === 'string') return text
  const kind = [type, mimeType].filter((word): word is string => typeof word === 'string').join(' ')
  return `[${kind}: use --json to see it]`
}

/** Prints text unchanged into a pipe; on a terminal, escapes control characters. */
export function printText(text: string): void {
  const shown = isatty(1) ? escapeHidden(text).replaceAll('\r', String.raw`\u000d`) : text
  write(1, shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`)
}

export function writeJson(value: Json): void {
  write(1, `${JSON.stringify(value)}\n`)
}

export function printError(error: object): void {
  write(2, `${JSON.stringify({ error })}\n`)
}

/** Creating a stream is slower than writing, so use one only if the reader is slow. */
function write(file: 1 | 2, text: string): void {
  let rest = Buffer.from(isatty(file) ? terminalText(text) : text)
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(file, rest))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') (file === 1 ? process.stdout : process.stderr).write(rest)
    // On EPIPE the reader has closed its end.
    else if (code !== 'EPIPE') throw error
  }
}
