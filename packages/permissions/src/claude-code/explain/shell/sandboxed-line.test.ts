import { describe, expect, test } from 'vitest'

import { isFreeInSandbox, leavesSandbox } from './sandboxed-line.ts'
import { readShellLine } from '../../../shell/shell-line.ts'

const lineOf = (text: string) => readShellLine(text, '/home/me')

/** Observed behavior of the client. */
describe('runs in the sandbox without asking', () => {
  test.each([
    'npm test',
    'a && b | c > d',
    'touch $NAME',
    'touch $(ls)',
    'touch {a,b}',
    '(a)',
    'a &',
    'a;',
    'if a; then b; fi',
    'for i in 1 2; do a; done',
    'x=1; touch $x',
    'NODE_ENV=x a',
    'sudo rm $NAME',
    "cat <<'EOF'\nx\nEOF",
    'cat <<EOF\nx\nEOF',
    'x=$(ls); touch b',
    'nice touch $NAME',
    'touch $NAME a=b',
    'echo $(if a; then b $NAME; fi)',
    'echo a=b | c',
    'a CI=1 --x=y',
    'dd if=a of=b',
    'node -e "let a=1"',
    'a'.repeat(10_000),
  ])('%j', (text) => {
    expect(isFreeInSandbox(lineOf(text), [])).toBe(true)
  })

  test.each([
    'X=1 a',
    'env X=1 a',
    'NODE_ENV=x X=1 a',
    'for i in 1 2; do touch $i; done',
    'for i in 1 2; do touch ${i}; done',
    'x=$(ls); touch $x',
    'while read -r x; do touch $x; done',
    '{ a; }',
    'case a in a) b;; esac',
    'f() { a; }; f',
    '$COMMAND a',
    'timeout 5 $COMMAND',
    'rm $NAME',
    'find . -name $NAME',
    'nice -n $NAME touch b',
    'a; if b; then c; fi; touch $NAME',
    'x=$y; a',
    'a b=c',
    'a && echo b=c | d',
    'dd a=b',
    'node -e "a=1"',
    'ls "~other"',
    'a'.repeat(10_001),
  ])('but not %j', (text) => {
    expect(isFreeInSandbox(lineOf(text), [])).toBe(false)
  })
})

describe('runs outside the sandbox', () => {
  const excluded = ['touch:*', 'prog', 'tool *', 'node:*', 'awk:*', 'cd:*']

  test.each([
    'touch a',
    'touch "a b"',
    'touch a; touch b',
    'touch a && prog || tool x',
    'touch a | prog',
    'touch a 2>&1',
    'touch a &',
    'touch a # why',
    '! touch a',
    'touch $NAME',
    'touch *.txt',
    'NODE_ENV=x touch a',
    'timeout 5 nice touch a',
    'env touch a',
    'node x.js',
    'node x.js -e 1',
  ])('%j', (text) => {
    expect(leavesSandbox(lineOf(text), excluded)).toBe(true)
    expect(isFreeInSandbox(lineOf(text), excluded)).toBe(false)
    expect(leavesSandbox(lineOf(text), [])).toBe(false)
  })

  test.each([
    '',
    'touch a && ls',
    'touch a > b',
    'touch a < b',
    'touch a 2>/dev/null',
    "touch a <<'EOF'\nx\nEOF",
    'touch $(ls)',
    'touch {a,b}',
    '(touch a)',
    'if true; then touch a; fi',
    'for i in 1; do touch a; done',
    'cd . && touch a',
    'X=1 touch a',
    'command touch a',
    'xargs touch a',
    'sudo touch a',
    '/usr/bin/touch a',
    'prog a',
    'node -e 1',
    'node --eval 1',
    'node',
    'timeout 5 node -e 1',
    'awk 1 x',
  ])('but not %j', (text) => {
    expect(leavesSandbox(lineOf(text), excluded)).toBe(false)
  })
})
