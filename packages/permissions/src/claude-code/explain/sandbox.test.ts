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

describe('the sandbox configured by all settings together', () => {
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
  ])('%j is enabled by %s', (sandboxes, level) => {
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
  ])('with managed settings %j, the excluded commands are %j', (managed, patterns) => {
    const sandboxes = {
      managed,
      user: { ...on, excludedCommands: ['a'] },
      project: { excludedCommands: ['b'] },
      local: { excludedCommands: ['c'] },
    }
    const sandbox = sandboxOf(setupWith({}, { values: values(sandboxes) }))
    expect(sandbox?.excluded.map(({ pattern }) => pattern)).toEqual(patterns)
  })
})

describe('explain', () => {
  const ask = (tool: string, sandboxes: Sandboxes, rules: Parts['rules'] = {}) =>
    explain(setupWith(rules, { values: values(sandboxes) }), { tool, cliAllow: [], cliDeny: [] })

  test('reports that the sandbox allows a command, and the setting that says so', () => {
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

  test('lists the rules left to the sandbox', () => {
    const rules = { user: { deny: ['Read(.env)'], ask: ['Bash'] } }
    const result = ask('Bash(cat .env)', { user: unasked }, rules)
    expect(result.decision).toBe('allow')
    expect(result.lost.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['Read(.env)', 'Bash']) as string[],
    )
    expect(ask('Bash(cat .env)', { user: on }, rules).decision).toBe('deny')
  })

  test('applies the sandbox to Bash only', () => {
    expect(ask('Monitor(npm test)', { user: unasked }).decision).toBe('ask')
    expect(ask('Write(a.txt)', { user: unasked }).decision).toBe('ask')
  })

  test('mentions the sandbox if no command is given', () => {
    expect(ask('Bash', { user: unasked })).toMatchObject({
      decision: 'ask',
      partial: [{ rule: 'sandbox.autoAllowBashIfSandboxed' }],
    })
    expect(ask('Bash', { user: on }).partial).toEqual([])
  })
})
