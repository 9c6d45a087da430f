import { describe, expect, test } from 'vitest'

import { setupWith, type Parts } from '../../../test/claude-setup.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Level } from '../setup/setup.ts'
import { explain } from './explain.ts'
import { sandboxOf } from './sandbox.ts'

type Sandboxes = Partial<Record<Level, JsonObject>>

const values = (sandboxes: Sandboxes): Required<Parts>['values'] =>
  Object.fromEntries(Object.entries(sandboxes).map(([level, sandbox]) => [level, { sandbox }]))

const on = { enabled: true }
const off = { enabled: false }
const unasked = { ...on, autoAllowBashIfSandboxed: true }
const strict = { allowUnsandboxedCommands: false }
const domains = { network: { allowManagedDomainsOnly: true } }

describe('the sandbox that the settings make together', () => {
  test.each<[Sandboxes, Level | undefined]>([
    [{}, undefined],
    [{ user: {} }, undefined],
    [{ user: off }, undefined],
    [{ user: on }, 'user'],
    [{ project: on }, 'project'],
    [{ user: on, project: off }, undefined],
    [{ user: { ...on, ...strict }, local: off }, undefined],
    [{ user: off, project: on }, 'project'],
    [{ managed: on, project: off }, 'managed'],
    [{ managed: off, user: on }, undefined],
    [{ managed: strict, user: on, project: off, local: off }, 'user'],
    [{ managed: domains, user: on, project: off }, 'user'],
    [{ managed: strict, user: off, project: on }, 'project'],
  ])('%j is switched on by %s', (sandboxes, level) => {
    expect(sandboxOf(setupWith({}, { values: values(sandboxes), isTrusted: false }))?.on.level).toBe(level)
  })

  test.each<[Sandboxes, object]>([
    [{ user: on }, { isStrict: false, isRequired: false }],
    [{ user: { ...on, ...strict }, project: { allowUnsandboxedCommands: true } }, { isStrict: true }],
    [{ user: on, project: strict }, { isStrict: true }],
    [{ managed: { allowUnsandboxedCommands: true }, user: { ...on, ...strict } }, { isStrict: false }],
    [{ user: { ...on, failIfUnavailable: true } }, { isRequired: true }],
    [
      { user: { ...on, failIfUnavailable: true }, project: { failIfUnavailable: false } },
      { isRequired: false },
    ],
  ])('%j: %j', (sandboxes, expected) => {
    expect(sandboxOf(setupWith({}, { values: values(sandboxes) }))).toMatchObject(expected)
  })

  test.each<[JsonObject, string[]]>([
    [{}, ['c', 'b', 'a']],
    [strict, ['a']],
  ])('with %j of the administrator, commands are kept out of it by %j', (managed, patterns) => {
    const sandboxes = {
      managed,
      user: { ...on, excludedCommands: ['a'] },
      project: { excludedCommands: ['b'] },
      local: { excludedCommands: ['c'] },
    }
    const found = sandboxOf(setupWith({}, { values: values(sandboxes) }))
    expect(found?.excluded.map(({ pattern }) => pattern)).toEqual(patterns)
  })
})

describe('explain', () => {
  const ask = (tool: string, sandboxes: Sandboxes, rules: Parts['rules'] = {}) =>
    explain(setupWith(rules, { values: values(sandboxes) }), { tool, cliAllow: [], cliDeny: [] })

  test('says that the sandbox lets a command through, and where that is written', () => {
    expect(ask('Bash(npm test)', { user: on, project: { autoAllowBashIfSandboxed: true } })).toMatchObject({
      decision: 'allow',
      decidedBy: {
        rule: 'sandbox.autoAllowBashIfSandboxed',
        source: 'project',
        file: 'project.json',
        why: expect.stringContaining('in its sandbox without asking') as string,
      },
    })
    expect(ask('Bash(npm test)', { user: on }).decision).toBe('ask')
  })

  test('tells which rules are left to it', () => {
    const rules = { user: { deny: ['Read(.env)'], ask: ['Bash'] } }
    const said = ask('Bash(cat .env)', { user: unasked }, rules)
    expect(said.decision).toBe('allow')
    expect(said.lost.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['Read(.env)', 'Bash']) as string[],
    )
    expect(ask('Bash(cat .env)', { user: on }, rules).decision).toBe('deny')
  })

  test('is about Bash and nothing else', () => {
    expect(ask('Monitor(npm test)', { user: unasked }).decision).toBe('ask')
    expect(ask('Write(a.txt)', { user: unasked }).decision).toBe('ask')
  })

  test('names it where no command is given', () => {
    expect(ask('Bash', { user: unasked })).toMatchObject({
      decision: 'ask',
      partial: [{ rule: 'sandbox.autoAllowBashIfSandboxed' }],
    })
    expect(ask('Bash', { user: on }).partial).toEqual([])
  })
})
