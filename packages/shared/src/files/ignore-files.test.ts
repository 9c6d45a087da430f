import { expect, test } from 'vitest'

import { createIgnoreRules, type IgnoreRules } from './ignore-files.ts'

/** Whether a path is ignored, checked from the top like a walk: ignored folders are not entered. */
function ignored(files: Record<string, string>, path: string): boolean {
  let rules: IgnoreRules = createIgnoreRules(files[''] ?? '')
  const names = path.replace(/\/$/, '').split('/')
  for (const [depth, name] of names.entries()) {
    const isFolder = depth < names.length - 1 || path.endsWith('/')
    if (rules.ignores(name, isFolder)) return true
    rules = rules.enter(name).add(files[names.slice(0, depth + 1).join('/')] ?? '')
  }
  return false
}

test.each([
  ['a name anywhere', 'secret.txt', ['secret.txt', 'a/b/secret.txt'], ['secret.txt.bak', 'mysecret.txt']],
  ['a name at the top', '/secret.txt', ['secret.txt'], ['a/secret.txt']],
  ['a path', 'a/secret.txt', ['a/secret.txt'], ['b/a/secret.txt', 'secret.txt']],
  ['a folder', 'build/', ['build/x', 'a/build/x'], ['build', 'a/build']],
  ['a star within a name', '*.log', ['x.log', 'a/.log'], ['x.logs', 'log']],
  ['a star within a path', 'a/*/c', ['a/b/c'], ['a/c', 'a/b/b/c']],
  ['any folders in front', '**/foo/bar', ['foo/bar', 'a/b/foo/bar'], ['foo/x/bar']],
  ['any folders in between', 'a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['b', 'a/x/c']],
  ['everything below', 'a/**', ['a/x', 'a/x/y'], ['a', 'b/a/x']],
  ['two stars in a name are one', 'a**b', ['ab', 'axxb'], ['a/b']],
  ['one character', 'a?c', ['abc'], ['ac', 'abbc', 'a/c']],
  ['one of some', 'a[0-9b]c', ['a1c', 'abc'], ['axc', 'a]c']],
  ['one of no others', 'a[!0-9]c', ['axc'], ['a1c']],
  ['a class', 'a[[:digit:]]', ['a1'], ['ab']],
  ['a bracket in brackets', 'a[]]c', ['a]c'], ['abc']],
  ['a bracket never closed', 'a[bc', [], ['abc', 'a[bc']],
  ['an escaped star', String.raw`a\*`, ['a*'], ['ab']],
  ['an escaped mark', String.raw`\!a`, ['!a'], ['a']],
  ['an escaped hash', String.raw`\#a`, ['#a'], ['a']],
  ['a comment', '#a', [], ['#a', 'a']],
  ['spaces at the end', 'a  ', ['a'], ['a  ']],
  ['an escaped space at the end', 'a\\  ', ['a '], ['a', 'a  ']],
  ['a line end of Windows', 'a\r', ['a'], ['b']],
  ['a byte-order mark', '\uFEFFa', ['a'], ['b']],
  ['the last line counts', '*.txt\n!keep.txt', ['x.txt'], ['keep.txt']],
  ['nothing below what is left out comes back', 'a/\n!a/keep', ['a/keep'], ['b/keep']],
  ['what lies below, but for one', 'a/*\n!a/keep', ['a/x'], ['a/keep']],
  ['a slash alone', '/', [], ['a']],
])('%s: %j', (_, text, out, kept) => {
  for (const path of out) expect(ignored({ '': text }, path), path).toBe(true)
  for (const path of kept) expect(ignored({ '': text }, path), path).toBe(false)
})

test('a deeper file takes precedence for its own folder', () => {
  const files = { '': '*.key\n', sub: '!test.key\n/own\n' }
  expect(ignored(files, 'test.key')).toBe(true)
  expect(ignored(files, 'sub/test.key')).toBe(false)
  expect(ignored(files, 'sub/other.key')).toBe(true)
  expect(ignored(files, 'sub/own')).toBe(true)
  expect(ignored(files, 'own')).toBe(false)
  expect(ignored(files, 'sub/deep/own')).toBe(false)
})

test('stays fast on adversarial patterns', () => {
  const files = { '': `${'*a'.repeat(100)}b\n${'**/a/'.repeat(50)}b` }
  expect(ignored(files, 'a'.repeat(250))).toBe(false)
  expect(ignored(files, `${'a'.repeat(249)}b`)).toBe(true)
  expect(ignored(files, `${'a/'.repeat(100)}c`)).toBe(false)
  expect(ignored({ '': `${'['.repeat(500_000)}\nb` }, 'b')).toBe(true)
})
