import { expect, test } from 'vitest'

import { fakeIo } from '@contextd/shared/testing/cli-io'
import type { LintFinding } from '../findings/finding.ts'
import { printFindings } from './print-findings.ts'

const finding: LintFinding = {
  rule: 'mcp-rule-parentheses',
  severity: 'error',
  file: '/project/.claude/settings.json',
  line: 4,
  column: 14,
  message: 'The client drops `mcp__db__drop(*)`: it denies nothing.',
  fix: 'Write `mcp__db__drop`, which holds for every argument; a hook can tell them apart.',
}

const printed = (columns?: number): string[] => {
  const { io, out } = fakeIo({
    cwd: '/project',
    env: { NO_COLOR: '1' },
    ...(columns !== undefined && { columns }),
  })
  printFindings({ findings: [finding], leftOut: 0, files: 1, fixed: undefined }, 'ctxd permissions', io)
  return out().split('\n').slice(0, -3)
}

const place = '.claude/settings.json:4:14: error mcp-rule-parentheses'

test('messages wider than the terminal are wrapped below the location', () => {
  expect(printed(60)).toEqual([
    place,
    '    The client drops `mcp__db__drop(*)`: it denies nothing.',
    '    fix: Write `mcp__db__drop`, which holds for every',
    '    argument; a hook can tell them apart.',
  ])
})

test.each([undefined, 200])('messages that fit are on the line of the location: %s columns', (columns) => {
  expect(printed(columns)).toEqual([`${place}: ${finding.message}`, `    fix: ${finding.fix}`])
})
