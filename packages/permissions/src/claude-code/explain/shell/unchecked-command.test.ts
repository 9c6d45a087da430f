import { describe, expect, test } from 'vitest'

import { readShellLine } from '../../../shell/shell-line.ts'
import { uncheckedCommand } from './unchecked-command.ts'

const unchecked = (text: string): (string | undefined)[] =>
  readShellLine(text, '/home/me').commands.map(uncheckedCommand)

/** Observed behavior of the client. */
describe('a command', () => {
  test.each([
    ['eval ls', 'code in the arguments of `eval`'],
    ['xargs eval ls', 'code in the arguments of `eval`'],
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
    ['printf -v "a[0]" x', 'the subscript in a[0]'],
    ['[ a -eq 1 ]', 'what a evaluates to'],
    ['[ a', 'a test that is not closed'],
    ['"" ls', 'an empty command name or a flag in its place'],
    ['PATH=/tmp', 'the variable in PATH=/tmp'],
    ['a[0]=1', 'the variable in a[0]=1'],
    ['cat < /dev/tcp/127.0.0.1/9', 'a network connection used as a file'],
    ['awk -nf x', 'what `awk -nf` loads'],
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
  ])('that can be checked: %s', (text) => {
    expect(unchecked(text)).toEqual([undefined])
  })
})
