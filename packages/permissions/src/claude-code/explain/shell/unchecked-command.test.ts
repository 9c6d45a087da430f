import { describe, expect, test } from 'vitest'

import { readShellLine } from '../../../shell/shell-line.ts'
import { uncheckedCommand } from './unchecked-command.ts'

const unchecked = (text: string): (string | undefined)[] =>
  readShellLine(text, '/home/me').commands.map(uncheckedCommand)

/** As the client was seen to do it. */
describe('a command', () => {
  test.each([
    ['eval ls', 'a program in the words of `eval`'],
    ['xargs eval ls', 'a program in the words of `eval`'],
    ['/usr/bin/strace ls', 'what `strace` starts'],
    ['A=1 timeout 5 strace ls', 'what `strace` starts'],
    [`${'env A=1 '.repeat(1000)}strace ls`, 'what `strace` starts'],
    ['shopt', 'what `shopt` changes in the shell'],
    ['env -S ls', 'what `env -S` starts'],
    ['env -i -C sub ls', 'what `env -C` starts'],
    ['find . -name a -delete', 'what `find` does with -delete'],
    ['find . -name *.ts', 'what `find` does with *.ts'],
    ['xargs jq .', 'what `xargs` adds to `jq`'],
    ['jq -rf x', 'what `jq` does with -rf'],
    ['declare -xi a', 'what `declare` does with -xi'],
    ['read "a[0]"', 'what `read` does with a[0]'],
    ['printf -v "a[0]" x', 'what stands in a[0]'],
    ['[ a -eq 1 ]', 'what a is worked out to'],
    ['[ a', 'a test without its end'],
    ['"" ls', 'what stands in place of a command'],
    ['PATH=/tmp', 'the variable in PATH=/tmp'],
    ['a[0]=1', 'the variable in a[0]=1'],
    ['cat < /dev/tcp/127.0.0.1/9', 'a connection in place of a file'],
    ['awk -nf x', 'what `awk -nf` brings'],
    [`awk '{print | "sort"}'`, 'what an `awk` program starts'],
    [`gawk '@load "x"'`, 'what an `awk` program starts'],
  ])('that cannot be checked: %s', (text, why) => {
    expect(unchecked(text)).toEqual([why])
  })

  test.each([
    '/bin/eval ls',
    'sudo strace ls',
    `${'env A=1 '.repeat(1000)}ls`,
    'print x',
    'constructor toString',
    'env -i -u A ls',
    'find . -name -delete',
    "find . -name '*.ts'",
    'xargs grep x',
    'jq -r .a',
    'declare -rx a',
    'read a',
    'printf -v a x',
    '[ -1 -eq 1 ]',
    '[[ -v a ]]',
    'EDITOR=x',
    'PATH=/tmp ls',
    'cat < /dev/null',
    "awk -F'|' -v f=1 '{print}'",
    `awk '$1 || "x" { systematic() } /@x/'`,
  ])('that can: %s', (text) => {
    expect(unchecked(text)).toEqual([undefined])
  })
})
