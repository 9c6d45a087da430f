import { expect, test } from 'vitest'

import { OPERATOR } from '../../core/call.ts'
import { compilePolicy } from './compile-rules.ts'
import { evaluate } from './evaluate.ts'

const tool = { tool: 'audit.query', method: 'tool', level: 'token' } as const
const rulesFor = (allow: object) => compilePolicy({ text: JSON.stringify({ agents: { front: { allow } } }) })

test('the operator controls contextd under any rules, and may use nothing else as operator', () => {
  const rules = rulesFor({ servers: ['*'] })
  expect(evaluate(rules, { ...tool, agent: OPERATOR, server: 'control' })).toMatchObject({ effect: 'allow' })
  for (const server of ['contextd', 'postgres']) {
    expect(evaluate(rules, { ...tool, agent: OPERATOR, server })).toMatchObject({ effect: 'deny' })
  }
})

test('an agent controls contextd only if the rules name it explicitly', () => {
  const asked = { ...tool, agent: 'front', server: 'control' }
  for (const allow of [
    { servers: ['*'] },
    { servers: ['con*'] },
    { servers: ['*'], tools: { control: ['*'] } },
  ]) {
    expect(evaluate(rulesFor(allow), asked)).toMatchObject({ effect: 'deny' })
  }
  expect(evaluate(rulesFor({ servers: ['control'] }), asked)).toMatchObject({ effect: 'allow' })
  const some = rulesFor({ servers: ['*', 'control'], tools: { control: ['audit.*'] } })
  expect(evaluate(some, asked)).toMatchObject({ effect: 'allow' })
  expect(evaluate(some, { ...asked, tool: 'config.set' })).toMatchObject({ effect: 'deny' })
})

test('no rules file can name the operator', () => {
  expect(() => compilePolicy({ text: JSON.stringify({ agents: { [OPERATOR]: { allow: {} } } }) })).toThrow()
})
