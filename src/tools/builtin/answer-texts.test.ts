import { describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import {
  backgroundText,
  commandText,
  editText,
  readText,
  responseText,
  foundText,
  writeText,
} from './answer-texts.ts'

test('a file is its numbered lines, below which of them they are', () => {
  const text = '21\tsaid = "it\'s \\n"\r\n22\t\tend\n'
  expect(readText({ lines: '21-22 of 310', bytes: 9120, hash: 'abc', text })).toBe(
    '[lines 21-22 of 310]\n21\tsaid = "it\'s \\n"\r\n22\t\tend',
  )
  expect(
    readText({ lines: '1-2, more follow', bytes: 9120, hash: 'abc', encoding: 'latin1', text: 'a' }),
  ).toBe('[lines 1-2, more follow, latin1, 9120 bytes]\na')
  expect(readText({ lines: 'none of 0', bytes: 0, hash: 'abc', text: '' })).toBe('[no lines]')
  expect(readText({ lines: 'none of 7', bytes: 9, hash: 'abc', text: '' })).toBe('[no lines of 7]')
  expect(readText({ lines: '5-5 of 9', note: 'Line 5 is too long.', text: '5\tx', bytes: 1 })).toBe(
    '[lines 5-5 of 9]\n[Line 5 is too long.]\n5\tx',
  )
  expect(readText({ type: 'image/png', size: '4 x 3', pages: 2, bytes: 77, hash: 'abc' })).toBe(
    '[image/png, 4 x 3, pages 2, 77 bytes]',
  )
})

test('a file that is shown from its first line to its last has no line above it', () => {
  const whole = { lines: '1-2 of 2', bytes: 9, hash: 'abc', text: '1\ta\n2\tb\n' }
  expect(readText(whole)).toBe('1\ta\n2\tb')
  expect(readText({ ...whole, text: '1\ta\n2\tb' })).toBe('1\ta\n2\tb')
  expect(readText({ ...whole, encoding: 'latin1' })).toBe('[latin1]\n1\ta\n2\tb')
})

test.each([
  ['lines before it are missing', { lines: '2-2 of 2', text: '2\tb\n' }],
  ['lines after it are missing', { lines: '1-1 of 2', text: '1\ta\n' }],
  ['more may follow', { lines: '1-2, more follow' }],
  ['a line was cut', { note: 'Line 2 is too long.' }],
  ['the budget cut it', { text: '1\ta\n[… about 5 tokens cut; read_more ref_1 offset 4]' }],
  ['the budget left nothing', { text: '' }],
  ['a secret is in place of the last lines', { text: '1\t[SECRET_1]\n' }],
])('a file has one if %s', (_, changed: JsonObject) => {
  const shown = { lines: '1-2 of 2', text: '1\ta\n2\tb\n', ...changed }
  expect(readText(shown)).toMatch(/^\[lines \d/)
})

test('matches are lines; their total is said if some are missing, or all', () => {
  expect(foundText({ found: '1 line in 1 file', text: 'a.ts:2:\tx\n' })).toBe('a.ts:2:\tx')
  expect(foundText({ found: '0 files', text: '' })).toBe('[no match]')
  expect(
    foundText({ found: '700 lines in 2 files', note: 'Shown are the first 500 lines.', text: 'a\n' }),
  ).toBe('a\n[700 lines in 2 files. Shown are the first 500 lines.]')
})

test('a changed file is what was done', () => {
  expect(editText({ done: '1 replaced', text: '3\tlet a\r', bytes: 9, hash: 'abc' })).toBe(
    '1 replaced\n3\tlet a\r',
  )
  expect(editText({ done: '1 replaced', text: '', bytes: 9 })).toBe('1 replaced')
  expect(writeText({ done: 'replaced', lines: '+12 -3', changed: '4-15', bytes: 20, hash: 'abc' })).toBe(
    'replaced: lines +12 -3, changed 4-15, 20 bytes',
  )
  expect(writeText({ done: 'replaced', lines: 'no change', bytes: 20 })).toBe('replaced: no change, 20 bytes')
  expect(writeText({ done: 'appended', bytes: 20 })).toBe('appended: 20 bytes')
})

describe('a command', () => {
  const command = { exit_code: 0, stdout: '', stderr: '' }

  test('that succeeded is its output', () => {
    expect(commandText({ ...command, stdout: 'a\n"b"\n' })).toBe('a\n"b"')
    expect(commandText({ ...command, stdout: 'a', stderr: 'warning\n' })).toBe('a\n[stderr]\nwarning')
    expect(commandText(command)).toBe('[no output]')
  })

  test('that did not says how it ended', () => {
    expect(commandText({ ...command, exit_code: 3, stderr: 'no\n' })).toBe('[stderr]\nno\n[exit code 3]')
    expect(commandText({ ...command, exit_code: 1 })).toBe('[exit code 1]')
    expect(
      commandText({ ...command, exit_code: 137, stdout: 'early\n', limit: 'time', note: 'Killed.' }),
    ).toBe('early\n[exit code 137]\n[Killed.]')
  })

  test('says which hosts were refused and which files were moved', () => {
    const moved = [{ path: '.bashrc', to: '.bashrc.moved' }]
    expect(
      commandText({
        ...command,
        stdout: 'x',
        refused_hosts: ['a.example'],
        refused_because: 'a.example: not granted.',
        moved_aside: moved,
        moved_aside_because: 'Only the user may write these.',
      }),
    ).toBe(
      'x\n[a.example: not granted.]\n[moved aside: .bashrc to .bashrc.moved. Only the user may write these.]',
    )
  })

  test('in the background is its id, and then its output and status', () => {
    expect(commandText({ id: 'bg_1', note: 'Running.' })).toBe('bg_1: Running.')
    expect(backgroundText({ status: 'running', next: 4, output: 'up\n' })).toBe('up\n[running, next 4]')
    expect(
      backgroundText({ status: 'exited', exit_code: 0, dropped: 9, next: 14, more: 5, output: 'up\n' }),
    ).toBe('[9 bytes before this are no longer stored]\nup\n[exited with code 0, next 14, 5 more bytes]')
    expect(backgroundText({ status: 'failed', error: 'INTERNAL: x', next: 0, output: '' })).toBe(
      '[failed, next 0]\n[INTERNAL: x]',
    )
  })
})

test('a response is its head and body', () => {
  const headers = { 'content-type': 'text/html' }
  expect(responseText({ status: 200, url: 'https://a.example/', headers, body: '<a b="c">\n' })).toBe(
    '200 https://a.example/\ncontent-type: text/html\n\n<a b="c">',
  )
})

test('fields that were scrubbed or shortened to something else do not break the text', () => {
  expect(readText({ lines: 7, text: ['x'] })).toBe('[lines 7]\n["x"]')
  expect(commandText({ exit_code: '[SECRET_1]', moved_aside: 'x' })).toBe('[exit code [SECRET_1]]')
  expect(responseText({})).toBe('null null\n\n')
})
