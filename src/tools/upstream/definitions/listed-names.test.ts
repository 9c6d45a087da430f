import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { listedName, type NamedEntry } from './listed-names.ts'

const prefixed = (server: string, tool: string): NamedEntry => ({ server, tool, prefix: true })
const bare = (server: string, tool: string): NamedEntry => ({ server, tool, prefix: false })

it.each([
  ['short', prefixed('files', 'read'), /^files__read$/],
  ['of the greatest length', prefixed('s'.repeat(10), 't'.repeat(21)), /^s{10}__t{21}$/],
  ['one longer', prefixed('s'.repeat(10), 't'.repeat(22)), /^s{10}__t{12}_[0-9a-f]{8}$/],
  [
    'with a long server',
    prefixed('a-very-long-server-name', 'take_screenshot'),
    /^a-very-lon__take_screens_[0-9a-f]{8}$/,
  ],
  ['with other characters', prefixed('files', 'read.all/now'), /^files__read_all_now_[0-9a-f]{8}$/],
  ['bare', bare('files', 'read'), /^read$/],
  ['bare and long', bare('files', 'r'.repeat(34)), /^r{24}_[0-9a-f]{8}$/],
  ['of nothing readable', bare('files', '日本'), /^__[0-9a-f]{8}$/],
])('names an entry %s', (_, entry, name) => {
  expect(listedName(entry)).toMatch(name)
})

const entries = fc.record({
  server: fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/),
  tool: fc.oneof(fc.string({ minLength: 1, maxLength: 128 }), fc.stringMatching(/^[a-z_.-]{1,60}$/)),
  prefix: fc.boolean(),
})

it('always fits, with the longest prefix of a client', () => {
  fc.assert(
    fc.property(entries, (entry) => {
      expect(`mcp__plugin_contextd_contextd__${listedName(entry)}`).toMatch(/^[A-Za-z0-9_-]{32,64}$/)
    }),
  )
})

it('is stable, and unique for shortened names', () => {
  fc.assert(
    fc.property(entries, entries, (one, other) => {
      expect(listedName({ ...one })).toBe(listedName(one))
      const isOther = one.server !== other.server || one.tool !== other.tool
      const isPlain = /^[A-Za-z0-9_-]{1,33}$/.test(one.prefix ? `${one.server}__${one.tool}` : one.tool)
      if (isOther && !isPlain) expect(listedName(other)).not.toBe(listedName(one))
    }),
  )
})

it('distinguishes names with the same start', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 2 }), (ends) => {
      const names = ends.map((end) =>
        listedName(prefixed('playwright', `browser_take_a_picture_of_the_page_${end}`)),
      )
      expect(new Set(names).size).toBe(ends.length)
    }),
  )
})
