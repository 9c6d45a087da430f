import { expect, test } from 'vitest'

import { addContext, type NewContext } from './add-context.ts'

const place = { home: '/home/me', folder: '/home/me/.config/contextd' }
const add = (before: string, added: Partial<NewContext> = {}): string =>
  addContext(before, { key: 'ctx_new', file: '/srv/a.md', agents: [], ...added }, place).text

test('a new map is a table with one key', () => {
  expect(add('')).toBe('[keys]\nctx_new = "/srv/a.md"\n')
})

test.each([
  ['/home/me/.config/contextd/sub/a.md', 'sub/a.md'],
  ['/home/me/contexts/a.md', '~/contexts/a.md'],
  ['/home/you/a.md', '/home/you/a.md'],
  ['/home/me/.config/contextd/~/a.md', '~/.config/contextd/~/a.md'],
])('%s is written %s', (file, path) => {
  expect(add('', { file })).toBe(`[keys]\nctx_new = "${path}"\n`)
})

test('agents and level make it a table', () => {
  expect(add('', { agents: ['contextd:scanner', 'main'] })).toContain(
    'ctx_new = { path = "/srv/a.md", agents = [ "contextd:scanner", "main" ] }\n',
  )
  expect(add('', { require: 'token' })).toContain('ctx_new = { path = "/srv/a.md", require = "token" }\n')
})

test.each([
  [
    '# mine\nbase = "x"\n\n[keys] # here\nold = "b.md" # first\n\n# the end\n',
    'old = "b.md" # first\nctx_new',
  ],
  ['[keys]\n', '[keys]\nctx_new'],
  ['keys.old = "b.md"\n', 'keys.old = "b.md"\nkeys.ctx_new'],
  ['keys = { old = "b.md" }\n', 'old = "b.md", ctx_new'],
  ['[keys.old]\npath = "b.md"\n', '\n[keys]\nctx_new'],
  ['\uFEFF[keys]\r\nold = "b.md"\r\n', 'old = "b.md"\r\nctx_new'],
])('every other byte of %j stays', (before, part) => {
  const after = add(before)
  expect(after).toContain(`${part} = "/srv/a.md"`)
  const kept = after.replace(/(?:\n\[keys\]\n)?(?:, )?(?:keys\.)?ctx_new = "\/srv\/a\.md"\r?\n?/, '')
  expect(kept.replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''))
})

test('a key that is there already is not given a second meaning', () => {
  expect(() => add('[keys]\nctx_new = "b.md"\n')).toThrow('this key is already in the map')
})

test('who needs no key is known', () => {
  const needsNoKey = (before: string, agents: string[]): boolean =>
    addContext(before, { key: 'ctx_new', file: '/srv/a.md', agents }, place).needsNoKey
  expect(needsNoKey('', ['scan'])).toBe(true)
  expect(needsNoKey('', [])).toBe(false)
  expect(needsNoKey('[keys]\nold = { path = "b.md", agents = ["scan"] }\n', ['scan', 'x'])).toBe(false)
  expect(needsNoKey('[keys]\nold = "b.md"\n', ['scan'])).toBe(true)
})
