import { expect, test } from 'vitest'

import { allowForms, denyForms, matchesBashRule } from './bash-rule.ts'
import { readShellLine } from '../../../shell/shell-line.ts'

test.each([
  ['npm test', ['npm test'], ['npm', 'npm test x', 'npm  test']],
  ['npm:*', ['npm', 'npm test'], ['npmx', 'xnpm']],
  ['npm run *', ['npm run', 'npm run x y'], ['npm', 'npm runx']],
  ['npm*', ['npm', 'npmx', 'npm run'], ['xnpm']],
  ['* --version', ['x --version', 'a b --version'], ['--version', 'x --version y']],
  ['git * main', ['git merge main'], ['git main', 'git merge main x']],
  ['touch a:*', ['touch a', 'touch a b'], ['touch a1']],
  ['touch *12:*', ['touch *12'], ['touch 12']],
  [':*', [], ['', 'x']],
])('%s', (content, fits, others) => {
  expect(fits.filter((command) => !matchesBashRule(content, command))).toEqual([])
  expect(others.filter((command) => matchesBashRule(content, command))).toEqual([])
})

test.each([
  ['touch x', ['touch x']],
  ['timeout 5 touch x', ['timeout 5 touch x', 'touch x']],
  ['timeout -k 5 10 touch x', ['timeout -k 5 10 touch x', 'touch x']],
  ['LANG=C nohup touch x', ['LANG=C nohup touch x', 'nohup touch x', 'touch x']],
  ['FOO=1 touch x', ['FOO=1 touch x']],
  ['xargs touch', ['xargs touch', 'touch']],
  ['xargs -n1 touch', ['xargs -n1 touch']],
  ['sudo touch x', ['sudo touch x']],
  ['command -v touch', ['command -v touch']],
])('an allow rule matches %s in the forms %j', (text, forms) => {
  expect(allowForms(readShellLine(text, '/home/me').commands[0]!, false)).toEqual(forms)
})

test.each([
  ['FOO=1 rm x'],
  ['timeout 5 rm x'],
  ['env A=1 rm x'],
  ['sudo -u me rm x'],
  ['/bin/rm x'],
  ['r""m x'],
  ['\\rm  x'],
  ['command rm x'],
])('a deny rule for `rm x` matches %s', (text) => {
  expect(denyForms(readShellLine(text, '/home/me').commands[0]!, true)).toContain('rm x')
})

test('does not analyze code quoted for another program', () => {
  expect(denyForms(readShellLine('bash -c "rm x"', '/home/me').commands[0]!, false)).not.toContain('rm x')
})

test('a command started by xargs is matched by prefix only', () => {
  const [command] = readShellLine('xargs rm x', '/home/me').commands
  expect(denyForms(command!, false)).toContain('rm x')
  expect(denyForms(command!, true)).not.toContain('rm x')
})
