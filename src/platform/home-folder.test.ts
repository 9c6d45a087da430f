import { afterEach, expect, test } from 'vitest'

import { homeFolder } from './home-folder.ts'
import { resolvePaths } from './paths.ts'

const before = process.env.HOME
afterEach(() => {
  if (before === undefined) delete process.env.HOME
  else process.env.HOME = before
})

test.each(['', 'relative/home'])('HOME=%j is none, and says what to set', (home) => {
  process.env.HOME = home
  expect(homeFolder).toThrow('HOME is not set to one')
  expect(() => resolvePaths({})).toThrow('HOME is not set to one')
  // The twin, and who has a folder for everything needs no home.
  expect(resolvePaths({ CONTEXTD_HOME: '/all' }).state).toBe('/all/state')
  process.env.HOME = '/home/ada'
  expect(homeFolder()).toBe('/home/ada')
  expect(resolvePaths({}).state).toBe('/home/ada/.local/state/contextd')
})
