import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { foldCase, isInFolder, matchesPattern, namesOf, readPattern } from './path-pattern.ts'

const places = { workspace: '/work/space', home: '/home/me' }

function matches(scope: string, path: string): boolean {
  const pattern = readPattern(scope, places)
  return pattern !== undefined && matchesPattern(namesOf(path), pattern)
}

test.each([
  ['**', '/work/space/a/b.ts'],
  ['**', '/work/space'],
  ['src/**', '/work/space/src/a/b.ts'],
  ['src', '/work/space/src/a/b.ts'],
  ['src/', '/work/space/src/a'],
  ['./src', '/work/space/src'],
  ['*.ts', '/work/space/a.ts'],
  ['**/*.ts', '/work/space/a.ts'],
  ['**/*.ts', '/work/space/x/y/a.ts'],
  ['src/*/index.?s', '/work/space/src/a/index.js'],
  ['**/test', '/work/space/x/test/deep/file'],
  ['../other/**', '/work/other/x'],
  ['/srv/data', '/srv/data/x'],
  ['~/notes/*.md', '/home/me/notes/a.md'],
  ['~', '/home/me/x'],
  ['a**b', '/work/space/a-x-b'],
  ['[x].ts', '/work/space/[x].ts'],
  ['/', '/anything'],
  ['**/**/**', '/work/space/a'],
])('%s covers %s', (scope, path) => expect(matches(scope, path)).toBe(true))

test.each([
  ['**', '/work/spaces/a'],
  ['**', '/work'],
  ['src/**', '/work/space/srcs/a'],
  ['src', '/work/space/x/src'],
  ['*.ts', '/work/space/x/a.ts'],
  ['src/*', '/work/space/src/a/b'],
  ['src/*', '/work/space/src'],
  ['?', '/work/space/ab'],
  ['[x].ts', '/work/space/x.ts'],
  ['~/notes', '/home/me2/notes'],
  ['~me/notes', '/home/me/notes'],
  ['/srv/data', '/work/space/srv/data'],
  ['SRC', '/work/space/src'],
])('%s does not cover %s', (scope, path) => expect(matches(scope, path)).toBe(false))

test('a workspace with wildcards in its name is meant literally', () => {
  const odd = readPattern('**', { ...places, workspace: '/work/*' })!
  expect(matchesPattern(namesOf('/work/*/a'), odd)).toBe(true)
  expect(matchesPattern(namesOf('/work/b/a'), odd)).toBe(false)
})

test('a pattern that leads up from behind a wildcard is none', () => {
  expect(readPattern('*/../..', places)).toBeUndefined()
})

test('hopeless patterns are decided at once', () => {
  const folders = `/work/space${'/a'.repeat(2000)}`
  expect(matches(`${'**/a/'.repeat(500)}b`, folders)).toBe(false)
  expect(matches(`${'*a'.repeat(500)}b`, `/work/space/${'a'.repeat(2000)}`)).toBe(false)
})

test('agrees with a plain translation to regular expressions', () => {
  const part = fc.stringMatching(/^[ab*?]{1,3}$/).filter((text) => !text.includes('**'))
  const pattern = fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 4 })
  const path = fc.array(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(pattern, path, (parts, names) => {
      const isName = !/[*?]/.test(parts.at(-1)!)
      const source = (isName ? [...parts, '**'] : parts)
        .map((each) =>
          each === '**' ? '(?:[^/]+/)*' : `${each.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}/`,
        )
        .join('')
      const expected = new RegExp(`^${source}$`).test(`${names.join('/')}/`)
      expect(matches(parts.join('/'), `/work/space/${names.join('/')}`)).toBe(expected)
    }),
  )
})

test('names that a file system may take for the same fold to the same', () => {
  for (const name of ['.GIT', '.g\u200cit', '.Git']) expect(foldCase(name)).toBe('.git')
  expect(foldCase('.\u017fsh')).toBe('.ssh')
  expect(foldCase('.git')).not.toBe(foldCase('.gitt'))
})

test('a folder holds itself and what is below, and no other with a longer name', () => {
  expect(['/a', '/a/b', '/ab', '/'].map((path) => isInFolder(path, '/a'))).toEqual([true, true, false, false])
  expect(isInFolder('/a', '/')).toBe(true)
})
