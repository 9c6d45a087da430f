import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { toolRuntime, type ToolRuntime } from '../../../test/support/tool-runtime.ts'
import type { Call, Progress } from '../../core/call.ts'
import type { ErrorObject } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'

interface Shown {
  readonly data: {
    exit_code: number
    stdout: string
    stderr: string
    limit?: string
    note?: string
    moved_aside?: { path: string; to: string }[]
  }
  readonly refs?: readonly { ref: string; field: string; next: number }[]
  readonly error?: ErrorObject
}

const allCapabilities = ['fs:read:**', 'fs:write:**', 'shell:exec']
const rulesWith = (...capabilities: string[]): object => ({
  agents: { default: { allow: { servers: ['contextd'], capabilities } } },
  defaults: { deny_on_missing_agent: false },
})

describe.runIf(sandboxHere)('safe_bash', () => {
  let place: ToolRuntime
  const start = async (options: Parameters<typeof toolRuntime>[0] = {}): Promise<void> => {
    await place.close()
    place = await toolRuntime(options)
  }
  beforeEach(async () => {
    place = await toolRuntime()
  })
  afterEach(() => place.close())

  const bash = async (args: JsonObject | string, parts: Partial<Call> = {}): Promise<Shown> => {
    const given = typeof args === 'string' ? { command: args } : args
    const result = await place.call('safe_bash', given, parts)
    if (result.kind === 'refusal') return { error: result.error } as Shown
    return (result.kind === 'answer' ? result.structured : undefined) as unknown as Shown
  }

  test('answers streams, exit code, and the limit that ended it', async () => {
    expect((await bash('echo out; echo err >&2; exit 3')).data).toEqual({
      exit_code: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    })
    let late: Shown['data']
    // A busy machine needs more time until the command says something at all.
    for (let timeout_ms = 500; ; timeout_ms *= 2) {
      late = (await bash({ command: 'echo early; sleep 600', timeout_ms })).data
      expect(late).toMatchObject({ exit_code: 137, limit: 'time' })
      if (late.stdout !== '') break
    }
    expect(late.stdout).toBe('early\n')
  })

  test('a command may take longer than other calls, up to the limit of its agent', async () => {
    await start({ config: '[limits]\ncall_timeout_ms = 1000\n' })
    expect((await bash({ command: 'sleep 2; echo done', timeout_ms: 600_000 })).data.stdout).toBe('done\n')
    expect((await bash({ command: 'echo', timeout_ms: 600_001 })).error).toMatchObject({
      code: 'COMMAND_TOO_LONG',
      message: 'A command of agent default may run for 600 seconds at most',
    })
    await start({
      rules: {
        agents: {
          default: {
            allow: { servers: ['contextd'], capabilities: allCapabilities },
            limits: { command_seconds: 1200 },
          },
        },
        defaults: { deny_on_missing_agent: false },
      },
    })
    expect((await bash({ command: 'echo yes', timeout_ms: 1_200_000 })).data.stdout).toBe('yes\n')
  })

  test.each([
    ['sleep 600 & echo started', true],
    ['(sleep 600 &) ; echo started', true],
    ['sleep 0 & echo started; wait', false],
    ['echo started && echo "a & b" >&2', false],
  ])('explains the end of what a command leaves behind: %s', async (command, isExplained) => {
    const { data } = await bash(command)
    expect(data).toMatchObject({ exit_code: 0, stdout: 'started\n' })
    expect(data.note?.includes('background: true') ?? false).toBe(isExplained)
  })

  test('explains names that do not resolve, and missing signing keys', async () => {
    const note = async (command: string): Promise<string | undefined> => (await bash(command)).data.note
    const unresolved = expect.stringMatching(
      /^No names resolve in the sandbox\. .*\(http:fetch:a\.example\)\.$/,
    )
    expect(await note("curl -sS --noproxy '*' https://a.example/")).toEqual(unresolved)
    expect(await note("node -e \"require('node:dns').lookup('a.example', (e) => { throw e })\"")).toEqual(
      unresolved,
    )
    // Says the host and the grant itself.
    expect(await note('curl -sS http://a.example/')).toBeUndefined()
    expect(await note("echo 'Could not resolve host: a.example'")).toBeUndefined()
    const commit =
      'git init -q . 2> /dev/null; git -c user.name=a -c user.email=a@b.example commit --allow-empty -qm one'
    expect(await note(`${commit} -S`)).toMatch(/^Signing keys are not in the sandbox: .*--no-gpg-sign/)
    expect(await note(commit)).toBeUndefined()
  })

  test('ends a command that makes more files than the configuration lets it', async () => {
    await start({ config: '[sandbox]\ndisk_files = 1000\n' })
    const make = (files: number): string =>
      `for n in $(seq ${files}); do : > empty-$n; (( n % 1000 )) || sleep 1; done; echo done`
    expect((await bash(make(200))).data).toMatchObject({ exit_code: 0, stdout: 'done\n' })
    expect((await bash(make(100_000))).data).toMatchObject({
      exit_code: 137,
      limit: 'files',
      note: 'Killed because it created over 1000 files (sandbox.disk_files).',
    })
    // Nor in /tmp, which is memory.
    expect((await bash(`cd /tmp; ${make(200)}`)).data).toMatchObject({ exit_code: 0, stdout: 'done\n' })
    expect((await bash(`cd /tmp; ${make(100_000)}`)).data).toMatchObject({ exit_code: 137, limit: 'files' })
  })

  test('runs in the workspace, or in a folder of it, with what the call brings', async () => {
    mkdirSync(join(place.project, 'sub'))
    const args = { command: 'pwd; echo $A; cat', cwd: 'sub', env: { A: 'b' }, stdin: 'in' }
    expect((await bash(args)).data.stdout).toBe(`${join(place.project, 'sub')}\nb\nin`)
    expect((await bash({ command: 'true', cwd: '/etc/ssh' })).error?.code).toBe('PATH_NOT_GRANTED')
  })

  test('has no environment but what the configuration lists', async () => {
    const lower = 'all_proxy http_proxy https_proxy no_proxy npm_config_update_notifier'
    const names = async (): Promise<string> => (await bash('compgen -e')).data.stdout
    expect((await names()).split('\n').sort().join(' ').trim()).toBe(
      `ALL_PROXY CARGO_NET_RETRY HOME HTTPS_PROXY HTTP_PROXY LANG NODE_USE_ENV_PROXY NO_PROXY OLDPWD PATH PIP_DISABLE_PIP_VERSION_CHECK PIP_RETRIES PWD SHLVL TMPDIR UV_HTTP_RETRIES ${lower}`,
    )
    await start({ config: '[sandbox]\nenv = ["COLOUR=green"]\n' })
    expect((await bash('echo $COLOUR')).data.stdout).toBe('green\n')
  })

  test("commits carry the user's name and email, unless the configuration or the call sets them", async () => {
    const gitconfig = '[user]\nname = Ada\nemail = ada@example.com\n[core]\npager = private\n'
    writeFileSync(join(place.home, 'gitconfig'), gitconfig)
    const commit =
      '[ -d .git ] || git init -q .; git commit -q --allow-empty -m one && git log -1 --format="%an <%ae> %cn"'
    expect((await bash(commit)).data.stdout).toBe('Ada <ada@example.com> Ada\n')
    expect((await bash('git config --get core.pager')).data.exit_code).toBe(1)
    const other = await bash({ command: commit, env: { GIT_AUTHOR_NAME: 'Grace' } })
    expect(other.data.stdout).toBe('Grace <ada@example.com> Ada\n')
    // The twin: without an identity git refuses.
    await start()
    expect((await bash(commit)).data.stderr).toContain('Please tell me who you are')
    await start({ config: '[sandbox]\nenv = ["GIT_COMMITTER_NAME=Bot"]\n' })
    writeFileSync(join(place.home, 'gitconfig'), gitconfig)
    expect((await bash(commit)).data.stdout).toBe('Ada <ada@example.com> Bot\n')
  })

  test('a secret that a command prints becomes a token', async () => {
    const secret = makeSample('ghp_{alnum:36}', seededRandom(7)).text
    writeFileSync(join(place.project, '.env'), `GITHUB_TOKEN=${secret}\n`)
    const shown = await bash('cat .env; cat .env >&2')
    expect(JSON.stringify(shown)).not.toContain(secret)
    expect(shown.data).toMatchObject({
      stdout: 'GITHUB_TOKEN=[SECRET_1]\n',
      stderr: 'GITHUB_TOKEN=[SECRET_1]\n',
    })
  })

  test('long streams keep head and tail, each with a ref to read on', async () => {
    const shown = await bash('seq 1 30000; seq 1 30000 >&2')
    for (const name of ['stdout', 'stderr'] as const) {
      expect(shown.data[name]).toMatch(/^1\n2\n/)
      expect(shown.data[name]).toMatch(/\n30000\n$/)
      const ref = shown.refs?.find(({ field }) => field === `data.${name}`)
      const more = await place.call('read_more', { ref: ref!.ref, offset: ref!.next })
      expect(more).toMatchObject({ kind: 'answer', structured: { data: expect.stringMatching(/^\d+\n/) } })
    }
  })

  test('tells how it goes, and ends when it is cancelled', async () => {
    const seen: Progress[] = []
    const client = new AbortController()
    const onProgress = (progress: Progress): void => {
      seen.push(progress)
      if (progress.message?.includes(' 0 bytes') === false) client.abort()
    }
    const { error } = await bash('echo 12345 secret-looking; sleep 600', {
      signal: client.signal,
      onProgress,
    })
    expect(error?.code).toBe('CANCELLED')
    expect(seen.at(-1)?.message).toMatch(/^running for \d+ s, 21 bytes of output$/)
  })

  test('what must not be written is not, whether it exists or not', async () => {
    const hook = join(place.project, '.git/hooks/pre-commit')
    mkdirSync(join(place.project, '.git/hooks'), { recursive: true })
    const { data } = await bash(
      'echo evil > .git/hooks/pre-commit; echo evil > .mcp.json; sleep 0.2; echo fine > ok',
    )
    expect([existsSync(hook), existsSync(join(place.project, '.mcp.json'))]).toEqual([false, false])
    expect(data.moved_aside).toMatchObject([{ path: '.mcp.json' }])
    expect(readFileSync(join(place.project, data.moved_aside![0]!.to), 'utf8')).toBe('evil\n')
    expect(readFileSync(join(place.project, 'ok'), 'utf8')).toBe('fine\n')
    // The twin: an explicit grant.
    await start({ rules: rulesWith(...allCapabilities, 'fs:write:.mcp.json') })
    await bash('echo granted > .mcp.json')
    expect(readFileSync(join(place.project, '.mcp.json'), 'utf8')).toBe('granted\n')
  })

  test('sees what is granted, and writes what is granted', async () => {
    await start({ rules: rulesWith('fs:read:src/**', 'shell:exec') })
    mkdirSync(join(place.project, 'src'))
    writeFileSync(join(place.project, 'src/a'), 'a')
    writeFileSync(join(place.project, 'private'), 'b')
    const { data } = await bash({ command: 'cat a; cat ../private; echo x > new', cwd: 'src' })
    expect(data.stdout).toBe('a')
    expect(data.stderr).toMatch(/private: No such file[\s\S]*new: Read-only file system/)
  })

  test('a pattern that is no whole folder gives commands nothing, and the answer says so', async () => {
    await start({ rules: rulesWith('fs:read:src/*.js', 'shell:exec') })
    expect((await bash('pwd')).error).toMatchObject({
      code: 'PATH_NOT_GRANTED',
      hint: expect.stringContaining('whole folders'),
    })
  })

  test('a command that no granted pattern allows is refused', async () => {
    await start({ rules: rulesWith('fs:read:**', 'shell:exec:echo *') })
    expect((await bash('echo yes')).data.stdout).toBe('yes\n')
    expect((await bash('id')).error).toMatchObject({ code: 'CAPABILITY_NOT_GRANTED' })
  })

  test('granted hosts are reached through the bridge, others are not, and all of it is audited', async () => {
    const server = createServer((request, response) => response.end(`served ${request.url}`))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await start({ rules: rulesWith(...allCapabilities, `http:fetch:127.0.0.1:${port}`) })
    // Bash alone speaks to the proxy, so that nothing else must be installed.
    const ask = (target: string): string =>
      `exec 9<>/dev/tcp/127.0.0.1/3128; printf 'GET ${target} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&9; cat <&9`
    expect((await bash(ask(`http://127.0.0.1:${port}/here`))).data.stdout).toContain('served /here')
    const refused = await bash(ask(`http://127.0.0.1:${port + 1}/`))
    expect(refused.data).toMatchObject({
      stdout: expect.stringContaining('403'),
      refused_hosts: [`127.0.0.1:${port + 1}`],
    })
    expect((await bash(`exec 9<>/dev/tcp/127.0.0.1/${port}`)).data.exit_code).not.toBe(0)
    const requests = place.records.audit
      .query({ kind: 'event' })
      .filter(({ event }) => event === 'http-request')
    expect(requests.map(({ details }) => details)).toMatchObject([
      { host: '127.0.0.1', outcome: 'not_granted' },
      { host: '127.0.0.1', port, status: 200, outcome: 'answered' },
    ])
    server.close()
  })

  test('without a granted host, requests are refused at once, with the grant to add', async () => {
    const { data } = await bash(
      'curl -sS http://a.example:8080/x?token=hush; curl -sS https://registry.example/; curl -sS http://b.example/ > /dev/null',
    )
    expect(data.stdout).toBe(
      'contextd: no grant covers this host; the user can add "http:fetch:a.example:8080" to allow.capabilities of this agent\n',
    )
    expect(data.stderr).toContain('403')
    expect(data).toMatchObject({
      refused_hosts: ['a.example:8080', 'registry.example:443', 'b.example:80'],
      refused_because: expect.stringMatching(
        /^a\.example:8080: no grant covers this host\. .* The user can add to allow\.capabilities of the agent: http:fetch:a\.example:8080, http:fetch:registry\.example, http:fetch:b\.example$/,
      ) as string,
    })
    const requests = place.records.audit
      .query({ kind: 'event' })
      .filter(({ event }) => event === 'http-request')
    expect(requests.map(({ details }) => details?.host)).toEqual([
      'b.example',
      'registry.example',
      'a.example',
    ])
    expect(requests[2]?.details).toMatchObject({ method: 'GET', port: 8080, outcome: 'not_granted' })
    expect(JSON.stringify(requests)).not.toContain('hush')
    // A command that requests nothing has nothing to report, and a server of its own is reached.
    const own = `node -e "require('http').createServer((q, r) => r.end('own')).listen(8080, () => console.log())"`
    const alone = await bash(
      `exec {own}< <(exec ${own}); IFS= read -r -u $own _; curl -sS http://localhost:8080/`,
    )
    expect(alone.data).toEqual({ exit_code: 0, stdout: 'own', stderr: '' })
  })

  test('what programs report in place of the proxy is checked', async () => {
    // A sandbox may forge its reports, but not what they look like.
    const { data } = await bash(
      `printf 'GET http://a.example%%0arefused%%20GET%%20b.example:80/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' > request; exec 9<>/dev/tcp/127.0.0.1/3128; cat request >&9; cat <&9`,
    )
    expect(data.stdout).toContain('403')
    expect(data).not.toHaveProperty('refused_hosts')
    expect((await bash('curl -sS http://c.example/')).data).toMatchObject({ refused_hosts: ['c.example:80'] })
  })

  test('a granted host that resolves to a special range is refused with the grant of its address', async () => {
    await start({ rules: rulesWith(...allCapabilities, 'http:fetch:*') })
    const { data } = await bash('no_proxy= NO_PROXY= curl -sS http://127.0.0.1/')
    expect(data).toMatchObject({
      refused_hosts: ['127.0.0.1:80'],
      refused_because: expect.stringMatching(/is loopback, .*: http:fetch:127\.0\.0\.1$/) as string,
    })
  })

  test('mode "off" runs with all rights, and every record says so', async () => {
    await start({ config: '[sandbox]\nmode = "off"\n' })
    expect((await bash(`cat ${join(place.home, 'config/config.toml')}`)).data.stdout).toContain(
      'mode = "off"',
    )
    const [entry] = place.records.audit.query({ kind: 'call' })
    expect(entry?.notes).toContain('the sandbox is off')
  })
})
