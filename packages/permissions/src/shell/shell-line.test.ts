import { describe, expect, test } from 'vitest'

import { readShellLine } from './shell-line.ts'

const texts = (line: string): readonly string[] =>
  readShellLine(line, '/home/me').commands.map(({ text }) => text)

describe('the commands of a line', () => {
  test.each([
    ['ls', ['ls']],
    ['  ls  -la ', ['ls  -la']],
    ['a && b || c; d | e', ['a', 'b', 'c', 'd', 'e']],
    ['a\nb', ['a', 'b']],
    ['a # b && c', ['a']],
    ['a "b && c" d', ['a "b && c" d']],
    ["a 'b; c'", ["a 'b; c'"]],
    ['a \\\n b', ['a  b']],
    ['a\\\nb', ['a b']],
    ['a <<"E"\n  E\nb\nE\nc', ['a', 'c']],
    ['a <<-"E"\n\tE\nb', ['a', 'b']],
    ['function f { a; }', ['a']],
    ['((a))', []],
    ['a ${X:-$(b)}', ['b', 'a ${X:-$(b)}']],
    ['A=b; $A c', ['A=b', '$A c']],
    ['if a; then b; else c; fi', ['a', 'b', 'c']],
    ['while a; do b; done', ['a', 'b']],
    ['for i in 1 2; do a; done', ['a']],
    ['! a', ['a']],
    ['a 2>&1 > /dev/null < b', ['a']],
    ["a <<'EOF'\nb && c\nEOF\nd", ['a', 'd']],
    ['(a)', ['a']],
    ['echo $(a)', ['a', 'echo $(a)']],
    ['echo `a`', ['a', 'echo `a`']],
    ['cat <(a)', ['a', 'cat <(a)']],
    ['', []],
  ])('%j', (line, commands) => {
    expect(texts(line)).toEqual(commands)
  })

  test('words are those that the shell would see', () => {
    const [command] = readShellLine('r""m "a b" c\\ d ~/x $HOME/y *.txt', '/home/me').commands
    expect(command).toMatchObject({
      words: ['rm', 'a b', 'c d', '/home/me/x', '/home/me/y', '*.txt'],
      patterns: ['*.txt'],
    })
  })

  test.each([
    ['a > b', ['a > b']],
    ['if a 2>/dev/null; then b >>c d; fi', ['a 2>/dev/null', 'b >>c d']],
    ['a | b', ['a', 'b']],
  ])('whole, %j', (line, commands) => {
    expect(readShellLine(line, '/home/me').commands.map(({ whole }) => whole)).toEqual(commands)
  })

  test('what is read from and written to', () => {
    const [command] = readShellLine('a < in > out 2>> err 2>&1 &> all', '/home/me').commands
    expect(command).toMatchObject({ words: ['a'], readsFrom: ['in'], writesTo: ['out', 'err', 'all'] })
  })
})

describe('what cannot be checked', () => {
  test.each([
    'echo $(a)',
    'echo "`a`"',
    'echo $X',
    'echo ${HOME}',
    'echo $?',
    'a {b,c}',
    'a {1..3}',
    'cat <<EOF\n$X\nEOF',
    '{ a; }',
    'case x in x) a;; esac',
    `a ${'x'.repeat(30_000)}`,
  ])('%#: something is in the way', (line) => {
    expect(readShellLine(line, '/home/me').obstacle).toBeDefined()
  })

  test.each([
    'echo $HOME',
    "echo '$(a)'",
    'echo \\$X',
    'echo "{a,b}"',
    'echo $((1+1))',
    'a {}',
    '[[ a == b ]]',
  ])('%s is clear', (line) => {
    expect(readShellLine(line, '/home/me')).toMatchObject({ isDetached: false })
    expect(readShellLine(line, '/home/me').obstacle).toBeUndefined()
  })

  test.each(['a &', '(a)', 'f() { a; }; f'])('%s runs beside the rest', (line) => {
    expect(readShellLine(line, '/home/me').isDetached).toBe(true)
  })

  test('however deep it goes, it ends', () => {
    expect(readShellLine('echo $('.repeat(5000), '/home/me').obstacle).toBeDefined()
    expect(readShellLine('"'.repeat(5001), '/home/me').commands).toHaveLength(1)
  })
})
