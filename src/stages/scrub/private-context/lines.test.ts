import { expect, test } from 'vitest'

import { contentLines } from './lines.ts'

test.each<[string, string, string[]]>([
  ['twelve characters', 'kestrel nest\nkestrel egg', ['kestrel nest']],
  ['without its marker', '- [ ] kestrel nests\n  1. kestrel eggs!', ['kestrel nests', 'kestrel eggs!']],
  ['of ordinary words too', 'Do not share this file.', ['Do not share this file.']],
  ['in a fence', '```js\nconst kestrel = 1\n```', ['const kestrel = 1']],
  ['of a table', '| Name | Id |\n|---|---|\n| Ada Quill | 7 |', ['| Ada Quill | 7 |']],
  ['of a heading that tells something', '# The Kestrel papers', ['The Kestrel papers']],
  ['of front matter that tells something', '---\ntitle: Kestrel papers\n---', ['title: Kestrel papers']],
  ['once', 'kestrel nests\n* kestrel nests\r\nkestrel nests', ['kestrel nests']],
])('a line is content: %s', (_, markdown, lines) => {
  expect(contentLines(markdown)).toEqual(lines)
})

test.each([
  ['a heading that everybody writes', '# Identifiers and names'],
  ['such a heading, underlined', 'Identifiers and names\n====================='],
  ['the head of a table', '| Name | Description |\n|------|-------------|'],
  ['front matter that everybody writes', '---\ntitle: Identifiers\nupdated: 2026-01-02\n---'],
  ['one common word', '- Documentation\n- Customer names'],
  ['structure', '------------------\n|----------|:------:|\n```typescript\n```\n* * * * * * * *'],
])('a line is not content: %s', (_, markdown) => {
  expect(contentLines(markdown)).toEqual([])
})
