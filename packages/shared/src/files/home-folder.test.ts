import { expect, test } from 'vitest'

import { homeFolder } from './home-folder.ts'

test.each(['', 'relative/home'])('HOME=%j is none, and says what to set', (home) => {
  expect(() => homeFolder(() => home)).toThrow('HOME is not set to one')
})

test('nor has one whom the system does not know', () => {
  const unknown = (): never => {
    throw new Error('uv_os_homedir returned ENOENT')
  }
  expect(() => homeFolder(unknown)).toThrow('HOME is not set to one')
})

test('the twin', () => {
  expect(homeFolder(() => '/home/ada')).toBe('/home/ada')
})
