import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { LOCAL_TENANT } from '../../core/call.ts'
import { openStore } from '../../platform/storage/store.ts'
import { createTrust } from '../../platform/trust.ts'
import { runCli, type CliIo } from '@contextd/shared/cli/output'
import { trustCommand } from './trust.ts'

let folder: string
let project: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-cli-')))
  project = join(folder, 'project')
  mkdirSync(project)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true })
  writeFileSync(join(project, name), text)
}

async function run(
  argv: string[] = [],
  options: { answer?: string; env?: NodeJS.ProcessEnv; io?: Partial<CliIo> } = {},
): Promise<FakeIo> {
  const fake = fakeIo({
    answer: options.answer,
    cwd: project,
    env: { CONTEXTD_HOME: folder, ...options.env },
  })
  const io = { ...fake.io, ...options.io }
  await runCli(trustCommand(io), io, argv)
  return fake
}

function eventsWritten(): unknown[] {
  const store = openStore(join(folder, 'state', 'contextd.db'))
  try {
    return store
      .prepare('SELECT event FROM audit ORDER BY seq')
      .all()
      .map(({ event }) => event)
  } finally {
    store.close()
  }
}

function isTrusted(name: string): boolean {
  const store = openStore(join(folder, 'state', 'contextd.db'))
  try {
    const path = join(project, name)
    return createTrust(store, LOCAL_TENANT, Date.now).isTrusted(path, readFileSync(path))
  } finally {
    store.close()
  }
}

describe('ctxd trust', () => {
  it('reports that there is nothing to trust', async () => {
    const { out, code, asked } = await run()
    expect([out(), code(), asked()]).toEqual(['Nothing to trust here.\n', 0, ''])
  })

  it('describes each file, and trusts it after confirmation', async () => {
    write('.contextd/rules.json', '{}')
    write('.mcp.json', '{}')
    const { out, asked, code } = await run([], { answer: 'y' })
    expect(asked().split('\n')).toEqual([
      `In ${project}:`,
      '  new      .contextd/rules.json  (2 bytes, sha256 44136fa355b3) restricts what agents may do here; the only rules if you have none',
      '  new      .mcp.json  (2 bytes, sha256 44136fa355b3) names MCP servers to start',
      'Trust these 2 files as they are now? [y/N] ',
    ])
    expect([out(), code()]).toEqual(['Trusted: .contextd/rules.json, .mcp.json\n', 0])
    expect([isTrusted('.contextd/rules.json'), isTrusted('.mcp.json')]).toEqual([true, true])
    expect(eventsWritten()).toEqual(['trust-given', 'trust-given'])
    expect((await run()).out()).toBe('All files are already trusted.\n')
  })

  it('asks again for changed files only', async () => {
    write('.contextd/rules.json', '{}')
    write('.mcp.json', '{}')
    await run([], { answer: 'y' })
    write('.mcp.json', '{ }')
    const { asked } = await run([], { answer: 'n' })
    expect(asked()).toContain('changed  .mcp.json')
    expect(asked()).not.toContain('rules.json')
    expect(isTrusted('.mcp.json')).toBe(false)
  })

  it.each<[string, object, { answer?: string; env?: NodeJS.ProcessEnv }]>([
    ['the user refuses', { code: 'APPROVAL_REQUIRED', hint: 'Nothing was changed.' }, { answer: '' }],
    ['there is no terminal', { code: 'OPERATOR_REQUIRED' }, {}],
    ['an agent runs it', { code: 'OPERATOR_REQUIRED' }, { answer: 'y', env: { AI_AGENT: 'x' } }],
  ])('trusts nothing: %s', async (_, error, options) => {
    write('.mcp.json', '{}')
    const { err, out, code } = await run(['--json'], options)
    expect(JSON.parse(err())).toMatchObject({ error })
    expect([out(), code(), isTrusted('.mcp.json')]).toEqual(['', 22, false])
  })

  it('trusts the bytes that were shown, not what was written during the prompt', async () => {
    write('.mcp.json', 'shown')
    const terminal = {
      write: () => {},
      discardInput: () => {},
      readLine: async () => {
        write('.mcp.json', 'swapped')
        return 'y'
      },
      readHidden: async () => undefined,
      close: () => {},
    }
    await run([], { io: { openTerminal: () => terminal } })
    expect(isTrusted('.mcp.json')).toBe(false)
    write('.mcp.json', 'shown')
    expect(isTrusted('.mcp.json')).toBe(true)
  })

  it('accepts another folder, or a single file of a project', async () => {
    write('.contextd/rules.json', '{}')
    write('.mcp.json', '{}')
    await run(['.contextd/rules.json'], { answer: 'y' })
    expect([isTrusted('.contextd/rules.json'), isTrusted('.mcp.json')]).toEqual([true, false])
    await run([project], { answer: 'y', io: { cwd: folder } })
    expect(isTrusted('.mcp.json')).toBe(true)
  })

  it.each([['missing'], ['other.txt']])('does not know %s', async (path) => {
    write('other.txt', '')
    const { err, code } = await run([path], { answer: 'y' })
    expect(err()).toMatch(new RegExp(`^NOT_FOUND: There is no (?:folder or )?file .*${path}`))
    expect(code()).toBe(12)
  })

  it('prints JSON', async () => {
    write('.mcp.json', '{}')
    symlinkSync('/dev/zero', join(project, '.gitleaks.toml'))
    const { out, err } = await run(['--json'], { answer: 'y' })
    expect(JSON.parse(out())).toEqual({
      project,
      files: [
        {
          name: '.mcp.json',
          path: join(project, '.mcp.json'),
          meaning: 'names MCP servers to start',
          state: 'trusted',
          was: 'new',
          size: 2,
          sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
        },
        {
          name: '.gitleaks.toml',
          path: join(project, '.gitleaks.toml'),
          meaning: 'defines what is detected as a secret',
          state: 'unreadable',
          why: 'is not a regular file',
        },
      ],
    })
    expect(err()).toBe('note: .gitleaks.toml is not a regular file and remains ignored\n')
  })

  it('lists trusted files', async () => {
    expect((await run(['--list'])).out()).toBe('Nothing is trusted yet.\n')
    write('.mcp.json', '{}')
    await run([], { answer: 'y' })
    expect((await run(['--list'])).out()).toMatch(
      /^FILE +SHA-256 +TRUSTED\n.*\.mcp\.json  44136fa355b3  2\d{3}-.*Z\n$/,
    )
    const { files } = JSON.parse((await run(['--list', '--json'])).out()) as { files: { path: string }[] }
    expect(files.map(({ path }) => path)).toEqual([join(project, '.mcp.json')])
  })
})
