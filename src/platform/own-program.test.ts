import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { ownProgramPaths } from './own-program.ts'

test('finds the package folder from any of its files', () => {
  const [bin = ''] = ownProgramPaths(false)
  expect(existsSync(join(bin, 'contextd.js'))).toBe(true)
  expect(ownProgramPaths(false, join(bin, '..', 'dist', 'chunks'))[0]).toBe(bin)
  expect(ownProgramPaths(true)).toContain(join(bin, '..', 'src'))
})

test("inside a client's plugin, it is the whole plugin", () => {
  const plugin = resolve('integrations', 'claude-code')
  expect(ownProgramPaths(false, join(plugin, 'server', 'dist'))).toEqual([plugin])
})
