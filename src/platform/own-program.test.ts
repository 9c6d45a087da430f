import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ownProgramPaths } from './own-program.ts'

test('finds the folder of the package from wherever the code lies in it', () => {
  const [bin = ''] = ownProgramPaths(false)
  expect(existsSync(join(bin, 'contextd.js'))).toBe(true)
  expect(ownProgramPaths(false, join(bin, '..', 'dist', 'chunks'))[0]).toBe(bin)
  expect(ownProgramPaths(true)).toContain(join(bin, '..', 'src'))
})
