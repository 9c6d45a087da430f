import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { expect, it } from 'vitest'

import { programWords, shippedFile } from './program.ts'

it('uses the program name only if it is stable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-program-'))
  const [lasting, passing] = [join(folder, 'bin'), join(folder, 'node_modules', '.bin')]
  for (const place of [lasting, passing]) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'contextd'), '')
    chmodSync(join(place, 'contextd'), 0o755)
  }
  expect(programWords([passing, lasting].join(delimiter))).toEqual(['contextd'])
  const [node, launcher = ''] = programWords(passing)
  expect([node, existsSync(launcher)]).toEqual([process.execPath, true])
  expect(existsSync(shippedFile('integrations/opencode/contextd.js'))).toBe(true)
  rmSync(folder, { recursive: true })
})
