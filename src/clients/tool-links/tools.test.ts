import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime, type Runtime } from '../../compose.ts'
import { isBuiltin } from '../../tools/builtin/registry.ts'
import { aboutText, linkedTools, linkParameters, schemaText } from './tools.ts'

let home: TempHome
let runtime: Runtime
beforeAll(async () => {
  home = makeTempHome()
  runtime = await composeRuntime({ env: home.env, cwd: home.project })
})
afterAll(async () => {
  await runtime.close()
  home.remove()
})

describe.each(linkedTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('is short', () => {
    expect(countTokens(schemaText(tool))).toBeLessThan(90)
    expect(countTokens(aboutText(tool))).toBeLessThan(100)
  })

  it('has the parameters of the tool itself (after `npm run generate`)', () => {
    expect(isBuiltin(name)).toBe(true)
    const { inputSchema } = runtime.catalogue.find(name)!.definition
    expect(JSON.parse(schemaText(tool))).toMatchObject({ parameters: linkParameters(tool, inputSchema) })
  })

  it('has a page in the same format as the others', () => {
    expect(aboutText(tool)).toMatch(
      new RegExp(
        `^# ${name}\\n> .+\\n\\n\\*\\*Use\\*\\*: .+\\n\\*\\*Not\\*\\*: .+\\n\\*\\*Limits\\*\\*: .+\\n$`,
      ),
    )
    for (const [, other = ''] of tool.not.matchAll(/→ (\w+)/g)) expect(isBuiltin(other), other).toBe(true)
    expect(JSON.parse(schemaText(tool))).toMatchObject({ name, description: tool.purpose })
  })
})

it('takes about 50 tokens of schema', () => {
  const tokens = linkedTools.map((tool) => countTokens(schemaText(tool)))
  expect(tokens.reduce((sum, count) => sum + count, 0) / tokens.length).toBeLessThan(52)
})

it('names the arguments that the tool requires, and omits limits', () => {
  const tool = { ...linkedTools[0]!, arguments: ['size', 'kind', 'name', 'any'], required: ['any'] }
  const schema = {
    properties: {
      name: { type: 'string', maxLength: 3 },
      kind: { type: 'string', enum: ['a', 'b'] },
      size: { type: 'integer', minimum: 1 },
      any: {},
      other: { type: 'string' },
    },
    required: ['name', 'other'],
  }
  expect(linkParameters(tool, schema)).toEqual({
    type: 'object',
    properties: { size: { type: 'integer' }, kind: { enum: ['a', 'b'] }, name: { type: 'string' }, any: {} },
    required: ['name', 'any'],
  })
})
