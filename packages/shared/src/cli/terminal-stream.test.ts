import { expect, test } from 'vitest'

import { terminalStyles } from '../text/visible-text.ts'
import { paint, type CliIo, type OutputStream } from './output.ts'
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
  ['text that is concealed', '\u001B[8mhidden\u001B[28m', String.raw`\u001b[8mhidden\u001b[28m`],
  ['a background', '\u001B[40m\u001B[30;40m\u001B[m', String.raw`\u001b[40m\u001b[30;40m\u001b[m`],
  ['our bold in another spelling', '\u001B[01mx', String.raw`\u001b[01mx`],
  ['a line that is erased', 'deny\u001B[2K\u001B[1K', String.raw`deny\u001b[2K\u001b[1K`],
  ['a rest that is erased within the text', 'a\u001B[Kb', String.raw`a\u001b[Kb`],
  ['half a character', 'a\uD800', String.raw`a\ud800`],
])('escapes %s on a terminal, passes it unchanged to a program', (_, text, shown) => {
  expect(written(true, text)).toBe(shown)
  if (text.isWellFormed()) expect(written(false, text)).toBe(text)
})

test.each(terminalStyles)('keeps our own style %s', (style) => {
  const io = { stdout: { isTTY: true, write: () => true }, env: {} } as unknown as CliIo
  const painted = paint(io, style, 'text')
  expect(painted).not.toBe('text')
  expect(written(true, painted)).toBe(painted)
})

test('keeps the output of our own commands', () => {
  const own = '\u001B[1mhead\u001B[22m\tcell\r\nnext é 漢 \u{1F600}\n'
  expect(written(true, own)).toBe(own)
  expect(written(true, '\rscanned 3 files\u001B[K')).toBe('\rscanned 3 files\u001B[K')
})

test('decodes bytes as text, even if a character is split', () => {
  const bytes = Buffer.from('é\u202E!')
  expect(written(true, bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4))).toBe(
    String.raw`é\u202e!`,
  )
  expect(written(false, bytes.subarray(0, 1), bytes.subarray(1))).toBe('é\u202E!')
})
