import { expect, test } from 'vitest'

import type { OutputStream } from './output.ts'
import { fitForTerminal } from './terminal-stream.ts'

function written(isTTY: boolean, ...parts: (string | Uint8Array)[]): string {
  const chunks: Buffer[] = []
  const stream: OutputStream = { isTTY, columns: 80, write: (data) => chunks.push(Buffer.from(data)) }
  const fit = fitForTerminal(stream)
  for (const part of parts) fit.write(part)
  return Buffer.concat(chunks).toString()
}

test.each([
  ['a sequence that moves the cursor', '\u001B[2Jgone', String.raw`\u001b[2Jgone`],
  ['the same in one character', '\u009B2J', String.raw`\u009b2J`],
  ['a title', '\u001B]0;owned\u0007', String.raw`\u001b]0;owned\u0007`],
  ['a direction', 'a\u202Eb\u2066', String.raw`a\u202eb\u2066`],
  ['a tag', String.fromCodePoint(0xe0041), String.raw`\udb40\udc41`],
  ['a line that is written over', 'allow\rdeny ', String.raw`allow\u000ddeny `],
  ['half a character', 'a\uD800', String.raw`a\ud800`],
])('a terminal is shown the code of %s, a program gets the thing itself', (_, text, shown) => {
  expect(written(true, text)).toBe(shown)
  if (text.isWellFormed()) expect(written(false, text)).toBe(text)
})

test('what our own commands print stays as it is', () => {
  const own = '\u001B[1mhead\u001B[22m\tcell\r\nnext é 漢 \u{1F600}\n'
  expect(written(true, own)).toBe(own)
  expect(written(true, '\rscanned 3 files\u001B[K')).toBe('\rscanned 3 files\u001B[K')
})

test('bytes are read as text, also where a character is cut', () => {
  const bytes = Buffer.from('é\u202E!')
  expect(written(true, bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4))).toBe(
    String.raw`é\u202e!`,
  )
  expect(written(false, bytes.subarray(0, 1), bytes.subarray(1))).toBe('é\u202E!')
})
