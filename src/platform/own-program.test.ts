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

test("includes the clients' plugins, which are executed too", () => {
  const plugin = resolve('integrations')
  expect(existsSync(join(plugin, 'claude-code', 'hooks'))).toBe(true)
  expect(ownProgramPaths(false)).toContain(plugin)
})
