import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime, type Runtime } from '../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { isBuiltin } from '../../tools/builtin/registry.ts'
import { aboutText, linkedTools, schemaText } from './tools.ts'

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
    expect(countTokens(schemaText(tool))).toBeLessThan(70)
    expect(countTokens(aboutText(tool))).toBeLessThan(100)
  })

  it("agrees with the tool's own description of its arguments", () => {
    expect(isBuiltin(name)).toBe(true)
    const { inputSchema } = runtime.catalogue.find(name)!.definition
    const real = inputSchema.properties as Record<string, JsonObject>
    for (const [argument, { type, items, enum: choices }] of Object.entries(tool.properties)) {
      expect(Object.keys(real), argument).toContain(argument)
      const { type: realType, items: realItems, enum: realChoices } = real[argument]!
      // A tool that accepts several types for an argument declares none.
      if (realType !== undefined && type !== undefined) expect(type, argument).toBe(realType)
      if (realItems !== undefined) expect(items, argument).toEqual(realItems)
      expect(choices, argument).toEqual(realChoices)
    }
    const required = new Set(tool.required)
    for (const argument of (inputSchema.required ?? []) as string[]) expect(required).toContain(argument)
    for (const argument of required) expect(Object.keys(tool.properties)).toContain(argument)
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
