import { expect, it } from 'vitest'

import { formatRulePath } from './rule-path.ts'

it.each([
  [['agents', 'frontend', 'deny', 'tools', 'postgres', 0], 'agents.frontend.deny.tools.postgres[0]'],
  [['agents', 'team.web', 'deny', 'tools', '*', 0], 'agents["team.web"].deny.tools["*"][0]'],
  [['agents', 'a-b_c'], 'agents.a-b_c'],
  [['agents', 'a"]b'], 'agents["a\\"]b"]'],
  [[], '$'],
])('%j is formatted as %s', (path, text) => {
  expect(formatRulePath(path)).toBe(text)
})
