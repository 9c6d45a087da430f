import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { findToolchains } from './toolchains.ts'

test('finds folders with programs, once each', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-toolchains-')))
  const make = (path: string): void => void mkdirSync(join(home, path), { recursive: true })
  make('.nvm/versions/node/v22.1.0/bin')
  make('.nvm/versions/node/half-installed')
  make('.pyenv/versions/3.12.1/bin')
  make('.sdkman/candidates/java/21/bin')
  symlinkSync('21', join(home, '.sdkman/candidates/java/current'))
  expect(findToolchains(home)).toEqual([
    { name: 'nvm', path: join(home, '.nvm/versions/node/v22.1.0') },
    { name: 'pyenv', path: join(home, '.pyenv/versions/3.12.1') },
    { name: 'sdkman', path: join(home, '.sdkman/candidates/java/21') },
  ])
  expect(findToolchains(join(home, 'empty'))).toEqual([])
  rmSync(home, { recursive: true })
})
