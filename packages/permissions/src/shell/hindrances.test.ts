import { describe, expect, test } from 'vitest'

import { readShellLine } from './shell-line.ts'

const hindrances = (text: string): string => {
  const { obstacle, opaque } = readShellLine(text, '/home/me')
  return opaque === undefined ? (obstacle === undefined ? 'none' : 'obstacle') : 'opaque'
}

/** As the client was seen to do it. */
describe('a line', () => {
  test.each([
    'ls "~root"',
    'echo a=b',
    'echo /proc/environ',
    'echo "$"',
    "foo -d '{a,b}'",
    'foo a"{\n,b"',
    "cat <<'EOF'\n# a\nEOF",
    'cat <<\\EOF\n$x\nEOF',
    'git commit -m "$(cat <<\'EOF\'\na (b)\n# c\nEOF\n)"',
    '[ a = b ]',
    'for A in x; do ls; done',
    'ls |',
    'x=$(ls); ls',
  ])('that the client can check: %j', (text) => {
    expect(hindrances(text)).toBe('none')
  })

  test.each([
    'cat <<EOF\nx\nEOF',
    "cat <<'EOF' | cat\nx\nEOF",
    "echo 'a\n# b'",
    "echo 'a\n\n\t # b'",
    "echo $'a'",
    'echo $[1]',
    'echo $',
    'echo a >&-',
    "foo -d'{a,b}'",
    'foo {a,b',
    'foo {{{a,b',
    'foo a"\n{b..c"',
    'A=~/x; ls',
    'echo $(if a; then b $x; fi)',
  ])('that it can check only for its sandbox: %j', (text) => {
    expect(hindrances(text)).toBe('obstacle')
  })

  test.each([
    'ls \u200b',
    '&& ls',
    'ls &&',
    'echo =ls',
    "echo 'a =b'",
    'cat /proc/1/environ',
    'test a = b',
    'x=a{b,c}',
    'for i in {1..3}; do ls; done',
    'for PATH in x; do ls; done',
    'export A=~/x',
    'cat <<EOF\n$x\nEOF',
    "cat <<E'O'F\nx\nEOF",
    "cat <<'EOF' && ls\nx\nEOF",
    "cat <<'A' <<'B'\nx\nA\ny\nB",
    'git commit -m "$(sort <<\'EOF\'\na\nEOF\n)"',
    'a <> b',
    '(a; b)',
    'time (a)',
    '( a ) > b',
    '((1))',
    'x=(1 2)',
    'if a; then b $x; fi',
    'x="a b"; touch $x',
    'echo ${!x}',
    'x=a$(ls); ls',
  ])('that it can never check: %j', (text) => {
    expect(hindrances(text)).toBe('opaque')
  })
})
