import { expect, test } from 'vitest'

import { readTextTable } from './columns.ts'

const secretsBelow = (text: string, name: string): string[] => {
  const { spans = [] } = readTextTable(text, text.indexOf(name)) ?? {}
  return spans.map((span) => text.slice(span.start, span.end))
}

test.each([
  ['CSV', 'id,user,password\n1,app,hunter22\n2,web,s3cr3t-w0rd\n', ['hunter22', 's3cr3t-w0rd']],
  ['quoted CSV', '"id","password","role"\n"1","hunter22","admin"\n', ['hunter22']],
  [
    'psql output',
    ' id | password | role\n----+----------+-------\n  1 | hunter22 | admin\n(1 row)\n',
    ['hunter22'],
  ],
  ['TSV', 'user\tpassword\napp\thunter22\n', ['hunter22']],
])('finds the secret cells of %s', (_, text, cells) => {
  expect(secretsBelow(text, 'password')).toEqual(cells)
})

test.each([
  ['a list in code', "const fields = ['id', 'password', 'role']\nconst x = 1, hunter22, y\n"],
  ['a sentence', 'Your user name, password, and role.\nOne, hunter22, three.\n'],
  ['a row after an empty line', 'id,password\n\n1,hunter22\n'],
])('finds nothing in %s', (_, text) => {
  expect(secretsBelow(text, 'password')).toEqual([])
})

test('reads all columns at once, up to the end of the table', () => {
  const table = 'user,password,token\napp,hunter22,9f8e7d6c5b4a39281706\n'
  const { spans, end } = readTextTable(`${table}\nrest, of it\n`, 6)!
  expect(spans).toHaveLength(2)
  expect(end).toBe(table.length)
})

test('ids are not secrets', () => {
  expect(secretsBelow('name,password_id\na,hunter22\n', 'password_id')).toEqual([])
})
