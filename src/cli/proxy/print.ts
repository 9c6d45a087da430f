/** What a tool answered, as text on stdout. */

import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { escapeHidden, terminalText } from '@contextd/shared/text/visible-text'

/** The words of an answer; what is no text is named. */
export function answerText({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  return blocks.map(blockText).join('\n')
}

function blockText({ type, text, mimeType }: JsonObject): string {
  if (typeof text === 'string') return text
  const kind = [type, mimeType].filter((word): word is string => typeof word === 'string').join(' ')
  return `[${kind}: see it with --json]`
}

/** A program gets what there is. On a terminal nothing of it moves the cursor, or colours what is not ours. */
export function printText(text: string): void {
  const whole = isatty(1) ? escapeHidden(text).replaceAll('\r', String.raw`\u000d`) : text
  write(1, whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`)
}

export function writeJson(value: Json): void {
  write(1, `${JSON.stringify(value)}\n`)
}

export function printError(error: object): void {
  write(2, `${JSON.stringify({ error })}\n`)
}

/** To make a stream takes longer than to write, so there is one only where the other end is slow. */
function write(file: 1 | 2, text: string): void {
  let rest = Buffer.from(isatty(file) ? terminalText(text) : text)
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(file, rest))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') (file === 1 ? process.stdout : process.stderr).write(rest)
    // With EPIPE whoever reads has seen enough.
    else if (code !== 'EPIPE') throw error
  }
}
