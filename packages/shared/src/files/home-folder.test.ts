import { expect, test } from 'vitest'

import { homeFolder } from './home-folder.ts'

test.each(['', 'relative/home'])('HOME=%j is rejected with a hint', (home) => {
  expect(() => homeFolder(() => home)).toThrow('HOME is not set to an absolute path')
})

test('a user unknown to the system has no home folder', () => {
  const unknown = (): never => {
    throw new Error('uv_os_homedir returned ENOENT')
  }
  expect(() => homeFolder(unknown)).toThrow('HOME is not set to an absolute path')
})

test('the twin', () => {
  expect(homeFolder(() => '/home/ada')).toBe('/home/ada')
})
