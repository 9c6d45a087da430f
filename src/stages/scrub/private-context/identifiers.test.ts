import { describe, expect, test } from 'vitest'

import { identifiersIn } from './identifiers.ts'

const listed = (markdown: string): string[] => identifiersIn(markdown).map(({ text }) => text)

describe('a catalogue lists', () => {
  test.each<[string, string, string[]]>([
    ['an item', '- Bluebird', ['Bluebird']],
    [
      'an item of any list',
      '* Kestrel\n+ Osprey\n1. Harrier\n2) Merlin',
      ['Kestrel', 'Osprey', 'Harrier', 'Merlin'],
    ],
    ['a word without a capital', '- nightingale', ['nightingale']],
    ['a name of several words', '- Anna Miller', ['Anna Miller']],
    ['a name with ordinary words in it', '- Project Bluebird', ['Project Bluebird']],
    ['a name with small words in it', '- Gräfin von der Tann', ['Gräfin von der Tann']],
    [
      'an item in an item',
      '- Names\n    - Anna Miller\n        - [x] Otto Kern',
      ['Anna Miller', 'Otto Kern'],
    ],
    ['an item of a quote', '> - Anna Miller', ['Anna Miller']],
    ['what is emphasised', '- **Bluebird**: the mobile app', ['Bluebird']],
    ['what a colon follows', '- Bluebird: the mobile app', ['Bluebird']],
    ['what is described', '- Bluebird (the mobile app)\n- Kestrel – its backend', ['Bluebird', 'Kestrel']],
    ['what follows a colon', '- Owner: Anna Miller', ['Anna Miller']],
    [
      'several in one line',
      'Names: Anna Miller, Otto Kern; Bluebird',
      ['Anna Miller', 'Otto Kern', 'Bluebird'],
    ],
    ['a line of its own', '# Names\n\nAnna Miller\nBluebird', ['Anna Miller', 'Bluebird']],
    ['a code span', 'Look for `acct_99120` and `kestrel`.', ['acct_99120', 'kestrel']],
    ['a code span with a backtick', 'Look for ``acct_99120``', ['acct_99120']],
    ['an id in a command', 'Run `SELECT * FROM kestrel_orders` first.', ['kestrel_orders']],
    ['a cell', '| Name | Id |\n|---|---|\n| Ada Quill | QX-77812 |', ['Ada Quill', 'QX-77812']],
    ['a cell without outer bars', 'Name | Id\n--- | ---\nAda Quill | QX-77812', ['Ada Quill', 'QX-77812']],
    ['a mail address anywhere', 'Ask ada@quill.example before you start.', ['ada@quill.example']],
    [
      'an id anywhere',
      'The order 2024-QX77812 was theirs, and acme_ledger too.',
      ['2024-QX77812', 'acme_ledger'],
    ],
    ['a name anywhere', 'Contact Anna Miller before you report.', ['Anna Miller']],
    [
      'a link',
      '- [Bluebird](https://bluebird.example/x)',
      ['Bluebird', 'https://bluebird.example/x', 'bluebird.example'],
    ],
    ['an address', '- <https://kestrel.example>', ['https://kestrel.example', 'kestrel.example']],
    [
      'a repository',
      '- acme/kestrel\n- github.com/acme/kestrel',
      ['acme/kestrel', 'github.com/acme/kestrel'],
    ],
    ['a phone number', '- +49 170 1234567', ['49 170 1234567']],
    ['a number', '- 40071123', ['40071123']],
    ['an address of a machine', '- 10.20.30.41', ['10.20.30.41']],
    ['a customer by number', '- Customer 4711\n- customer-42', ['Customer 4711', 'customer-42']],
    ['what is escaped', String.raw`- acct\_99120`, ['acct_99120']],
    ['what stands in a fence', '```text\nzorblax\nQX-77812\n```', ['zorblax', 'QX-77812']],
    ['lines that end as on Windows', '- Anna Miller\r\n- Bluebird\r\n', ['Anna Miller', 'Bluebird']],
    ['letters of other scripts', '- 田中太郎\n- Анна Каренина', ['田中太郎', 'Анна Каренина']],
    [
      'a name of three ordinary words',
      '- customer_billing_address\n- getCustomerAddress',
      ['customer_billing_address', 'getCustomerAddress'],
    ],
    ['the same once, composed', '- M\u{75}\u{308}ller\n- M\u{fc}ller', ['M\u{fc}ller']],
  ])('%s', (_, markdown, expected) => {
    expect(new Set(listed(markdown))).toEqual(new Set(expected))
  })
})

describe('nothing is found in', () => {
  test.each([
    ['ordinary words', '- Names\n- Description\n- email addresses\n- Phone\n- Internal only'],
    ['headings', '# Bluebird catalogue\n## The Kestrel Project\n\nNightingale\n==========='],
    ['the head of a table', '| Nightingale | Kestrel |\n|---|---|'],
    ['front matter', '---\nname: nightingale\nauthor: Anna Miller\n---\n'],
    [
      'sentences',
      'However, do not quote anything.\n- Quarantine what you find, immediately and without exception.',
    ],
    ['what describes', '- Names: mentioned, careless, insecurely\n- Detection'],
    ['names that everybody gives', '- `user_id`, `firstName`, `getUser`, `read-only`, `npm run build`'],
    ['paths and files', '- src/compose.ts\n- `package.json`\n- docs/guides/kestrel.md\n- ~/zorblax/one/two'],
    [
      'numbers that are common',
      '- 2026-01-31\n- 31.01.2026\n- 12:30\n- 1.22.333\n- 127.0.0.1\n- 130 MB\n- 4588/s',
    ],
    ['standards', '- utf-8\n- SHA-256\n- base64\n- HTTP\n- JSON\n- OAuth2'],
    ['short ones', '- Al\n- abc\n- X1\n- zorb'],
    ['structure', '---\n***\n```\n~~~\n| --- | --- |'],
    ['a comment', '<!-- Anna Miller wrote this -->'],
  ])('%s', (_, markdown) => {
    expect(listed(markdown)).toEqual([])
  })
})

test('text that would be ordinary in other spellings only matches verbatim', () => {
  const exact = (text: string) => identifiersIn(`- ${text}`).map(({ isExact }) => isExact)
  expect(['Bluebird', 'customer_billing_address'].flatMap(exact)).toEqual([true, true])
  expect(['Anna Miller', 'acct_99120', 'kestrelOrders'].flatMap(exact)).toEqual([false, false, false])
})

test('a line as long as the whole file is handled', () => {
  const lines = ['[a](', '<https:', ' \t', 'A-', 'aA', 'a_', '`` a ', "Aa' "]
  const longest = 65_536
  const markdown = lines.map((piece) => `x${piece.repeat(longest / piece.length)}!`)
  for (const line of markdown) expect(identifiersIn(line).length).toBeLessThan(100)
  const name = listed(`- ${'word '.repeat(1000)}ACME-77812 ${'word '.repeat(1000)}`)
  expect(name).toEqual(['ACME-77812'])
}, 60_000)
