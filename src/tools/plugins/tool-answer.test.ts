import { expect, test } from 'vitest'

import { parseOutput, toolFailure } from './tool-answer.ts'

const ended = (stdout: string, stderr = '', exitCode = 0) => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
})

test.each([
  ['{"a": [1, 2]}\n', { a: [1, 2] }],
  ['"text"', 'text'],
  ['3', 3],
  ['plain text\n', 'plain text\n'],
  ['{"broken": ', '{"broken": '],
  ['', ''],
])('%j is answered as %j', (stdout, data) => {
  expect(parseOutput(ended(stdout))).toMatchObject({ own: true, structured: { data } })
})

test('what is nested too deep to be walked through stays text', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(parseOutput(ended(deep))).toMatchObject({ structured: { data: deep } })
})

test('a failure says how it ended and what the tool said last, scrubbed before it is cut', async () => {
  const scrub = async (text: string): Promise<string> => text.replaceAll('hunter2hunter2', '[SECRET_1]')
  const stderr = `hunter2hunter2${'x'.repeat(1990)}`
  expect(await toolFailure(ended('', stderr, 3), scrub)).toMatchObject({
    isError: true,
    structured: {
      error: { code: 'TOOL_FAILED', exit_code: 3, hint: expect.not.stringContaining('hunter') as string },
    },
  })
  const quiet = await toolFailure({ ...ended('', '', 137), limit: 'memory' }, scrub, 'It needs more memory')
  expect(quiet.structured).toMatchObject({
    error: { limit: 'memory', hint: 'It needs more memory, and printed nothing to standard error.' },
  })
})
