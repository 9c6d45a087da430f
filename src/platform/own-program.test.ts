import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ownProgramFolders } from './own-program.ts'

test('finds the folder of the package from wherever the code lies in it', () => {
  const [bin = ''] = ownProgramFolders()
  expect(existsSync(join(bin, 'contextd.js'))).toBe(true)
  expect(ownProgramFolders(join(bin, '..', 'dist', 'chunks'))[0]).toBe(bin)
})
