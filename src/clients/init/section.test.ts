import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { withoutSection, withSection } from './section.ts'

const section = '<!-- contextd: begin -->\nours\n<!-- contextd: end -->'

it.each([
  [undefined, `${section}\n`],
  ['', `${section}\n`],
  ['# Mine\n', `# Mine\n\n${section}\n`],
  ['# Mine', `# Mine\n\n${section}\n`],
  ['a\r\nb\r\n', `a\r\nb\r\n\r\n${section.replaceAll('\n', '\r\n')}\r\n`],
  [`a\n${section.replace('ours', 'old\nlines')}\nb`, `a\n${section}\nb`],
])('%j', (before, after) => {
  expect(withSection(before, 'ours', 'f')).toBe(after)
  expect(withSection(after, 'ours', 'f')).toBe(after)
})

it('leaves no line behind, wherever the section was', () => {
  expect(withoutSection(`a\n\n${section}\n\nb\n`, 'f')).toBe('a\n\nb\n')
  expect(withoutSection(`${section}\n`, 'f')).toBe('')
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '', '# b', '- c')), (lines) => {
      const text = lines.map((line) => `${line}\n`).join('')
      const back = withoutSection(withSection(text, 'ours', 'f'), 'f')
      if (text.trim() !== '') expect(back).toBe(text)
    }),
  )
})

it.each([
  '<!-- contextd: begin -->',
  '<!-- contextd: end -->\n<!-- contextd: begin -->',
  `${section}\n${section}`,
])('refuses unpaired markers: %j', (text) => {
  expect(() => withSection(text, 'ours', 'f')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  expect(() => withoutSection(text, 'f')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})
