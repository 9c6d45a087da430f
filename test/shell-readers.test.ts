/** The hook that refuses commands and the one that explains permissions see the same commands in a line. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { readShellLine } from '../packages/permissions/src/shell/shell-line.ts'
import { ONE, readShell, STAR, UNKNOWN } from '../src/clients/claude-code/hooks/shell-words.ts'

/** Without what only one of them resolves: braces, variables of the line, and text that is no command by itself. */
const pieces = [
  ['a', 'bc', '.env', '$y', '$HOME', '$?', '*', '?', ' ', ' ', ' ', '\n'],
  [';', '&&', '||', ' | ', ' & ', '(', ')', ' ((', '))', ' #', '\\;', '\\"'],
  ["';'", "')\n#'", "'d e'", '"', '"f g"', '"$x', '"$(o "p")"'],
  [
    '$(',
    '$(h i)',
    '`',
    '`j k`',
    '<(m n)',
    ' >',
    ' 2>&1',
    '&>',
    ' >|',
    '<<<',
    ' <',
    " <<'E'\n",
    '\nE\n',
    '\n\tE\n',
  ],
].flat()
const line = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
  .map((some) => some.join(''))

type Reader = (text: string) => readonly (readonly string[])[]

const ofHook: Reader = (text) =>
  readShell(text, { HOME: '/home/me' }).commands.map((words) =>
    words.map((word) => word.replaceAll(STAR, '*').replaceAll(ONE, '?')),
  )

/** The client takes what is not closed, a late here-document and several in a line for something else. */
const isComparable = (text: string): boolean => {
  const { obstacle, opaque } = readShellLine(text, '/home/me')
  return !/closed|here-document|calculation/.test(`${obstacle} ${opaque}`)
}

function isSubsequence(words: readonly string[], of: readonly string[]): boolean {
  let at = 0
  for (const word of of) if (at < words.length && word === words[at]) at += 1
  return at === words.length
}

/** The client takes a redirection before a word for a word; a substitution alone may be a redirection to the hook. */
const isOwn = (word: string): boolean => word.startsWith('>') || word === UNKNOWN

/** Commands of the client that the reader does not see, with all their words. */
function missedBy(reader: Reader, text: string): readonly (readonly string[])[] {
  const seen = reader(text)
  return readShellLine(text, '/home/me')
    .commands.map(({ words }) => words.filter((word) => !isOwn(word)))
    .filter((words) => words.length > 0 && !seen.some((command) => isSubsequence(words, command)))
}

test('every command that the client sees is seen in the deny path, word by word', () => {
  fc.assert(
    fc.property(line, (text) => {
      fc.pre(isComparable(text))
      expect(missedBy(ofHook, text)).toEqual([])
    }),
    { numRuns: 5000 },
  )
})

test.each<[string, Reader]>([
  ['separators in quotes', (text) => text.split(/[;&|\n()]+/).map((part) => part.split(/[ \t<>]+/))],
  ['the end of a substitution', (text) => ofHook(text.replaceAll('$(', ' '))],
  ['the end of a here-document', (text) => ofHook(text.replaceAll("<<'E'", "<<'F'"))],
])('the comparison notices a reader that misses %s', (_, reader) => {
  const sample = fc.sample(line, 5000).filter(isComparable)
  expect(sample.some((text) => missedBy(reader, text).length > 0)).toBe(true)
})
