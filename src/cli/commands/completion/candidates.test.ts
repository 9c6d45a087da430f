import { describe, expect, test } from 'vitest'

import { programToComplete } from '../../ctxd-program.ts'
import type { NameKind } from '../../support/known-names.ts'
import { completeWords } from './candidates.ts'
import { completableProxy } from './proxy-program.ts'

async function complete(
  ...words: string[]
): Promise<{ values: string[]; asked: NameKind[]; files: boolean }> {
  const asked: NameKind[] = []
  const program = await programToComplete(words)
  const { candidates, files } = await completeWords(program, words, async (kind) => {
    asked.push(kind)
    return [{ value: `${kind}-one` }, { value: `${kind}-two` }, { value: 'other' }]
  })
  return { values: candidates.map(({ value }) => value), asked, files }
}

describe('the program itself', () => {
  test.each([
    [['au'], ['audit']],
    [
      ['rules', ''],
      ['check', 'explain', 'test', 'allow', 'deny', 'grant', 'reveal', 'edit', 'suggest', 'help'],
    ],
    [['help', 'rul'], ['rules']],
    [['agents', 'token', 're'], ['revoke']],
    [['rules', 'explain', '--le'], ['--level']],
    [['rules', 'explain', '--level', 'att'], ['attested']],
    [['rules', 'explain', '--level=to'], ['--level=token']],
    [['rules', 'explain', '--level', 'token', '--le'], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completion', 'bash', ''], []],
    [['--v'], ['--version']],
    [['no-such', 'wo'], []],
    [['upstream', 'add', 'x', '--', '--j'], []],
  ])('completes %j with %j', async (words, values) => {
    expect((await complete(...words)).values).toEqual(values)
  })

  test('offers every command', async () => {
    const { values } = await complete('')
    expect(values).toEqual(expect.arrayContaining(['server', 'audit', 'config', 'demo', 'completion']))
  })

  test('offers repeatable options again', async () => {
    const { values } = await complete('upstream', 'add', 'x', '--env', 'A=1', '--e')
    expect(values).toEqual(['--env'])
  })
})

describe('names', () => {
  test.each([
    [['rules', 'explain', '--agent', ''], 'agents'],
    [['rules', 'explain', '--agent=agents-t'], 'agents'],
    [['audit', 'query', '--tool', ''], 'tools'],
    [['audit', 'query', '--server', ''], 'servers'],
    [['config', 'get', ''], 'config-keys'],
    [['upstream', 'test', 'one', ''], 'servers'],
    [['permissions', 'explain', 'Bash', '--agent', ''], 'client-agents'],
    [['permissions', 'rules', ''], 'permission-rules'],
    [['tool', 'show', ''], 'own-tools'],
    [['memory', 'get', 'one', 'two', ''], 'memories'],
    [['checkpoint', 'restore', ''], 'checkpoints'],
    [['branch', 'show', ''], 'branches'],
  ])('%j asks for %s', async (words, kind) => {
    const { values, asked } = await complete(...words)
    expect(asked).toEqual([kind])
    expect(values.length).toBeGreaterThan(0)
  })

  test('omits names with another prefix', async () => {
    expect((await complete('config', 'get', 'oth')).values).toEqual(['other'])
  })

  test.each([[['rules', 'test', '']], [['scan', 'a', '']], [['scan', '--baseline', '']]])(
    '%j asks the shell for files',
    async (words) => {
      expect(await complete(...words)).toEqual({ values: [], asked: [], files: true })
    },
  )
})

describe('contextd-proxy', () => {
  const proxy = async (...words: string[]): Promise<{ values: string[]; files: boolean }> => {
    const program = completableProxy([{ value: 'safe_read' }, { value: 'return' }, { value: 'constructor' }])
    const { candidates, files } = await completeWords(program, words, async () => [])
    return { values: candidates.map(({ value }) => value), files }
  }

  test.each([
    [[''], ['safe_read', 'return', 'constructor']],
    [['re'], ['return']],
    [['-'], ['--json', '--help']],
    [
      ['safe_read', '--'],
      ['--json', '--path', '--offset', '--limit', '--raw', '--help'],
    ],
    [['return', '--outcome', 'f'], ['failure']],
    [
      ['constructor', '--'],
      ['--json', '--help'],
    ],
  ])('completes %j with %j', async (words, values) => {
    expect(await proxy(...words)).toEqual({ values, files: false })
  })

  test('asks the shell for paths', async () => {
    expect(await proxy('safe_read', '--path', 'src')).toEqual({ values: [], files: true })
  })
})
