import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { expect, test } from 'vitest'

import { findClients } from './find-clients.ts'

test('finds executables in their first location on the PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-clients-'))
  const [first, second] = [join(folder, 'a'), join(folder, 'b')]
  for (const place of [first, second]) {
    mkdirSync(place)
    writeFileSync(join(place, 'claude'), '')
  }
  const path = [first, second].join(delimiter)
  expect(findClients(path)).toEqual([])
  chmodSync(join(second, 'claude'), 0o755)
  expect(findClients(path)).toEqual([{ id: 'claude-code', path: join(second, 'claude') }])
  expect(findClients('')).toEqual([])
  rmSync(folder, { recursive: true })
})
