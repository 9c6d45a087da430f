import { describe, expect, it } from 'vitest'

import { ONE, readShell, STAR, UNKNOWN } from './shell-words.ts'

const words = (text: string, env = {}): readonly (readonly string[])[] => readShell(text, env).commands

describe('words', () => {
  it.each([
    ['cat a b', ['cat', 'a', 'b']],
    [`c'a't "a b"'c d'e\\ f`, ['cat', 'a bc de f']],
    ['echo "it\\"s $HOME"', ['echo', 'it"s /home/me']],
    ["echo '$HOME'", ['echo', '$HOME']],
    ["echo $'\\x61\\142\\u0063\\n'", ['echo', 'abc\n']],
    ['echo $"a"', ['echo', 'a']],
    ['cat *.t? [ab]c', ['cat', `${STAR}.t${ONE}`, `${ONE}c`]],
    ['cat "*"', ['cat', '*']],
    ['cat {a,b}/x{1..3}', ['cat', `a/x${UNKNOWN}`, `b/x${UNKNOWN}`]],
    ['cat $HOME/x ${HOME}/y $NOBODY', ['cat', '/home/me/x', '/home/me/y', UNKNOWN]],
    ['cat a\\\nb', ['cat', 'ab']],
    ['cat a # not this', ['cat', 'a']],
    ['cat <in >out 2>&1', ['cat', 'in', 'out', '1']],
    ['cat <<<text', ['cat', 'text']],
    ['echo a#b $', ['echo', 'a#b', '$']],
    ['echo "unended', ['echo', 'unended']],
  ])('%j', (text, expected) => {
    expect(words(text, { HOME: '/home/me' })[0]).toEqual(expected)
  })

  it('of variables that the command sets itself are known', () => {
    expect(words('A=x B=$A/y; export C="$B/z"; cat $C').at(-1)).toEqual(['cat', 'x/y/z'])
    expect(words('echo A=x; cat $A').at(-1)).toEqual(['cat', UNKNOWN])
  })
})

describe('commands', () => {
  it.each([
    ['a; b && c || d | e & f\ng', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['(a; b)', ['a', 'b']],
    ['a $(b `c`) ${X:-d}', ['c', 'b', 'd', 'a']],
    ['diff <(a) <(b)', ['a', 'b', 'diff']],
    ['echo "$(a "$(b)")"', ['b', 'a', 'echo']],
  ])('%j are all found', (text, programs) => {
    expect(words(text).map(([program]) => program)).toEqual(programs)
  })

  it('keep a here-document together, and what runs inside it apart', () => {
    expect(words("cat <<'END' | sh\nit's $(not run)\nEND\nls")).toEqual([
      ['cat', "it's $(not run)\n"],
      ['sh'],
      ['ls'],
    ])
    expect(words('cat <<END\na $(run) b\nEND\nls')).toEqual([['cat', `a ${UNKNOWN} b\n`], ['run'], ['ls']])
    expect(words('cat <<END\nno end')).toEqual([['cat', 'no end']])
  })
})

it('gives up where there is too much to look at', () => {
  expect(readShell(`${'$('.repeat(50)}${')'.repeat(50)}`, {}).isBeyond).toBe(true)
  expect(readShell('a '.repeat(50_000), {}).isBeyond).toBe(true)
  expect(readShell('{a,b}'.repeat(50), {}).isBeyond).toBe(false)
  expect(readShell('a '.repeat(5000), {}).isBeyond).toBe(false)
})

describe('what shells disagree about is read in every sense', () => {
  it.each<[string, string[][]]>([
    ['a $(b <<E)\nc\nE', [['b'], ['a', UNKNOWN], ['c\n'], ['c']]],
    ['((a b))', [['a', 'b']]],
    [
      'a ${x:-b c}',
      [
        ['b', 'c'],
        ['a', UNKNOWN],
      ],
    ],
    ['a\rb', [['a\rb', 'a', 'b']]],
  ])('%j', (text, expected) => expect(words(text)).toEqual(expected))

  it('without characters of a set that end a word', () => {
    expect(words('a [;b;]')).toEqual([['a', '['], ['b'], [']']])
    expect(words('a [b;c]')).toEqual([['a', '[b'], ['c]']])
  })
})
