import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sandboxHere } from '../../../../test/support/sandbox-here.ts'
import { dataOf, errorIn, toolRuntime, type ToolRuntime } from '../../../../test/support/tool-runtime.ts'
import type { Call } from '../../../core/call.ts'
import { listCaches, type StoredCache } from './cache-store.ts'

const capabilities = ['fs:read:**', 'fs:write:**', 'shell:exec']
const cached = { allow: { servers: ['contextd'], capabilities: [...capabilities, 'shell:cache'] } }
const rules = {
  agents: {
    default: cached,
    other: cached,
    plain: { allow: { servers: ['contextd'], capabilities } },
    goOnly: { allow: { servers: ['contextd'], capabilities: [...capabilities, 'shell:cache:go'] } },
    noGo: { ...cached, deny: { capabilities: ['shell:cache:go'] } },
  },
  defaults: { deny_on_missing_agent: false },
}
const as = (agent: string): Partial<Call> => ({ claims: { token: { id: agent, agent } } })

describe.runIf(sandboxHere)('caches of commands', () => {
  let place: ToolRuntime
  beforeEach(async () => {
    place = await toolRuntime({ rules })
  })
  afterEach(() => place.close())

  const run = async (command: string, parts: Partial<Call> = {}): Promise<string> => {
    const { exit_code, stdout, stderr } = dataOf(await place.call('safe_bash', { command }, parts)) as {
      exit_code: number
      stdout: string
      stderr: string
    }
    return exit_code === 0 ? stdout : `${exit_code}: ${stderr}`
  }
  const root = (): string => join(place.home, 'cache/commands')
  const caches = (): StoredCache[] => listCaches(root())
  const plant = 'echo planted > ~/.npm/_cacache/x && cat ~/.npm/_cacache/x'
  const look = 'cat ~/.npm/_cacache/x 2>/dev/null || echo nothing'

  test('are kept for the same agent in the same project, and for nobody else', async () => {
    expect(await run(plant, as('default'))).toBe('planted\n')
    const project = mkdtempSync(join(tmpdir(), 'contextd-other-'))
    try {
      const strangers: Partial<Call>[] = [
        as('other'),
        as('plain'),
        // The same name, less reliably identified.
        { claims: { environment: 'default' } },
        { ...as('default'), project },
      ]
      for (const stranger of strangers) expect(await run(look, stranger)).toBe('nothing\n')
      // The twins: the same probe finds it for its own agent, also in another session.
      expect(await run(look, as('default'))).toBe('planted\n')
      const session = place.runtime.sessions.begin({ name: 'b', version: '1', door: 'cli' })
      expect(await run(look, { ...as('default'), session })).toBe('planted\n')
      const npm = caches().filter(({ kind }) => kind === 'npm')
      const owners = npm.map(({ agent, project: folder }) => `${agent} in ${folder}`)
      const [own, another] = [realpathSync(place.project), realpathSync(project)]
      expect(owners.sort()).toEqual(
        [
          `default (environment) in ${own}`,
          `default (token) in ${own}`,
          `default (token) in ${another}`,
          `other (token) in ${own}`,
        ].sort(),
      )
    } finally {
      rmSync(project, { recursive: true })
    }
  })

  test('are not created unless the rules grant them, and only for the granted programs', async () => {
    const places =
      'for f in .npm/_cacache .cache/pip .cargo/registry go/pkg; do [ -d ~/$f ] && echo $f; done; true'
    expect(await run(places, as('plain'))).toBe('')
    expect(caches()).toEqual([])
    expect(await run(places, as('goOnly'))).toBe('go/pkg\n')
    expect(caches().map(({ kind }) => kind)).toEqual(['go'])
    expect(await run(places, as('noGo'))).toBe('.npm/_cacache\n.cache/pip\n.cargo/registry\n')
    // Settings and programs of cargo do not survive.
    const settings =
      'mkdir -p ~/.cargo/bin; ls -A ~/.cargo ~/.npm; echo evil | tee ~/.cargo/config.toml > ~/.cargo/bin/x; echo evil > ~/.npmrc'
    expect(await run(`${settings}; echo kept > ~/.cargo/registry/x`, as('noGo'))).not.toContain('config.toml')
    expect(
      await run('ls ~/.cargo/bin ~/.cargo/config.toml ~/.npmrc; cat ~/.cargo/registry/x', as('noGo')),
    ).toBe('kept\n')
  })

  test('are out of reach of commands and file tools at their own place', async () => {
    const inside = await toolRuntime({ rules, homeIn: 'project' })
    try {
      expect(dataOf(await inside.call('safe_bash', { command: plant }))).toMatchObject({ exit_code: 0 })
      const cache = listCaches(join(inside.project, 'own/cache/commands')).find(({ kind }) => kind === 'npm')
      const file = join(cache!.folder, 'content/.npm__cacache/x')
      expect(statSync(file).size).toBe(8)
      expect(errorIn(await inside.call('safe_read', { path: file })).code).toBe('PATH_NOT_GRANTED')
      const listed = await inside.call('safe_bash', { command: `ls -A own/cache; cat ${file}` })
      expect(dataOf(listed)).toMatchObject({ exit_code: 1, stdout: '' })
      // The twin: another file of the project.
      const other = await inside.call('safe_bash', { command: 'echo a > b; cat b' })
      expect(dataOf(other)).toMatchObject({ stdout: 'a\n' })
    } finally {
      await inside.close()
    }
  })

  test('can be filled by several commands at the same time', async () => {
    const lock = 'flock ~/.cargo/.package-cache sh -c'
    await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        run(
          `${lock} 'n=$(cat ~/.cargo/registry/n 2>/dev/null || echo 0); sleep 0.2; echo $((n + 1)) > ~/.cargo/registry/n; echo ${index}'`,
        ),
      ),
    )
    expect(await run('cat ~/.cargo/registry/n')).toBe('4\n')
  })
})

describe.runIf(sandboxHere)('caches of commands that grow too large', () => {
  let place: ToolRuntime
  beforeEach(async () => {
    place = await toolRuntime({ rules, config: '[sandbox]\ncaches_mb = 4\ndisk_mb = 64\n' })
  })
  afterEach(() => place.close())

  const root = (): string => join(place.home, 'cache/commands')
  const run = async (command: string, agent: string): Promise<unknown> =>
    dataOf(await place.call('safe_bash', { command }, as(agent)))
  const kinds = (): string[] => listCaches(root()).map(({ kind, agent }) => `${kind} of ${agent}`)

  test('the least recently used are removed, whatever they contain, and no link is followed', async () => {
    const precious = join(place.home, 'precious')
    mkdirSync(join(precious, 'folder'), { recursive: true })
    symlinkSync('/nowhere', join(precious, 'folder/file'))
    const evil = [
      `cd ~/go/pkg; ln -s ${precious} link; mkdir -p ro/a; echo x > ro/a/b; chmod -R a-w ro; mkdir closed; chmod 0 closed`,
      // A path that is longer than any program can open.
      'for i in $(seq 40); do n=$(printf "d%.0s" $(seq 200)); mkdir $n && cd $n; done; true',
    ]
    expect(await run(evil.join('\n'), 'goOnly')).toMatchObject({ exit_code: 0 })
    expect(kinds()).toContain('go of goOnly (token)')
    await run('head -c 8M /dev/zero > ~/.npm/_cacache/x', 'noGo')
    while (kinds().some((kind) => /^go|^npm/.test(kind))) await sleep(20)
    // The twin: what was used as recently fits.
    expect(kinds()).toContain('pip of noGo (token)')
    while (readdirSync(root()).some((name) => name.startsWith('removed-'))) await sleep(20)
    expect(readdirSync(join(precious, 'folder'))).toEqual(['file'])
  })

  test('one that a command uses stays until the command has ended', async () => {
    const started = await place.call(
      'safe_bash',
      {
        command:
          'head -c 8M /dev/zero > ~/.npm/_cacache/x; echo up; until [ -e go ]; do sleep 0.05; done; ls ~/.npm/_cacache',
        background: true,
      },
      as('default'),
    )
    const { id } = dataOf(started) as { id: string }
    const read = async (): Promise<{ output: string; status: string }> =>
      dataOf(await place.call('safe_output', { id, since: 0 }, as('default'))) as {
        output: string
        status: string
      }
    while (!(await read()).output.includes('up')) await sleep(20)
    // The other agent's are removed, because that one is too large and in use.
    await run('true', 'goOnly')
    while (kinds().includes('go of goOnly (token)')) await sleep(20)
    expect(kinds()).toContain('npm of default (token)')
    await run('touch go', 'plain')
    while ((await read()).status === 'running') await sleep(20)
    expect((await read()).output).toBe('up\nx\n')
    while (kinds().includes('npm of default (token)')) await sleep(20)
  })

  test('a command cannot fill the disk with one', async () => {
    const ended = await run(
      'while true; do head -c 16M /dev/zero >> ~/.npm/_cacache/$RANDOM; done',
      'default',
    )
    expect(ended).toMatchObject({ limit: 'disk' })
  })
})
