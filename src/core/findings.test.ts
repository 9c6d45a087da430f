import { describe, expect, test } from 'vitest'

import { applyFindings, mergeFindings, privateMask } from './findings.ts'
import type { Finding } from './ports.ts'

describe('merging findings of the scrubber and of private context', () => {
  const at = (start: number, end: number, token: string): Finding => ({ rule: token, start, end, token })
  const text = '0123456789'
  const merged = (secrets: Finding[], privates: Finding[]) =>
    mergeFindings(
      text,
      { text: applyFindings(text, secrets), findings: secrets },
      { text: applyFindings(text, privates), findings: privates },
    ).text

  test.each([
    [[at(0, 2, '[S]')], [], '[S]23456789'],
    [[], [at(0, 2, privateMask)], '[PRIVATE]23456789'],
    [[at(0, 2, '[S]')], [at(2, 4, privateMask)], '[S][PRIVATE]456789'],
    [[at(0, 3, '[S]')], [at(2, 4, privateMask)], '[PRIVATE]456789'],
    [[at(2, 3, '[S]'), at(4, 6, '[T]')], [at(1, 5, privateMask)], '0[PRIVATE]6789'],
  ])('%j and %j', (secrets, privates, expected) => {
    expect(merged(secrets, privates)).toBe(expected)
  })
})
