import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { makeTar, makeZip } from '@contextd/shared/testing/archives'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { ownPort } from '../../../../test/support/own-port.ts'
import { sandboxHere } from '../../../../test/support/sandbox-here.ts'
import { dataOf, toolRuntime, type ToolRuntime } from '../../../../test/support/tool-runtime.ts'
import { cacheKinds, type CacheKind } from '../../../core/capability.ts'
import { listCaches } from './cache-store.ts'

/** A name that no other cache of this machine contains. */
const name = `cacheprobe${randomBytes(6).toString('hex')}`

type Answers = Readonly<Record<string, { readonly body: Buffer | string; readonly type?: string }>>

interface Manager {
  /** What the registry serves, by path. */
  answers(url: string): Answers
  /** The files of the project. */
  files(url: string): Readonly<Record<string, string>>
  /** Fails if it cannot get the package. */
  readonly command: (url: string) => string
  /** Deletes what the project itself keeps. */
  readonly clean: string
  /** Folders with the program and what it needs, outside `/usr/bin`; undefined if it is not installed. */
  readonly folders: () => readonly string[] | undefined
}

const tarOf = (files: Readonly<Record<string, string>>): Buffer =>
  gzipSync(makeTar(Object.entries(files).map(([path, content]) => ({ name: path, content }))))
const zipOf = (files: Readonly<Record<string, string>>): Buffer =>
  makeZip(Object.entries(files).map(([path, content]) => ({ name: path, content })))

const npmPackage = tarOf({
  'package/package.json': JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
  'package/index.js': 'module.exports = "npm works"',
})
const crate = tarOf({
  [`${name}-1.0.0/Cargo.toml`]: `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\n`,
  [`${name}-1.0.0/src/lib.rs`]: 'pub fn one() -> u8 { 1 }\n',
})
const wheel = zipOf({
  [`${name}.py`]: 'text = "pip works"\n',
  [`${name}-1.0.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
  [`${name}-1.0.dist-info/WHEEL`]:
    'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  [`${name}-1.0.dist-info/RECORD`]: '',
})
const goMod = `module example.com/${name}\n\ngo 1.20\n`

const managers: Readonly<Record<CacheKind, Manager>> = {
  npm: {
    answers: (url) => ({
      [`/${name}`]: {
        type: 'application/json',
        body: JSON.stringify({
          name,
          'dist-tags': { latest: '1.0.0' },
          versions: {
            '1.0.0': {
              name,
              version: '1.0.0',
              dist: {
                tarball: `${url}/${name}.tgz`,
                integrity: `sha512-${createHash('sha512').update(npmPackage).digest('base64')}`,
              },
            },
          },
        }),
      },
      [`/${name}.tgz`]: { body: npmPackage },
    }),
    files: (url) => ({
      '.npmrc': `registry=${url}/\nfetch-retries=0\naudit=false\nfund=false\nupdate-notifier=false\n`,
      'package.json': JSON.stringify({ name: 'shop', version: '1.0.0', dependencies: { [name]: '1.0.0' } }),
    }),
    command: () =>
      `{ [ -e package-lock.json ] && npm ci || npm install; } >&2 && node -p 'require("${name}")'`,
    clean: 'rm -rf node_modules',
    folders: () => (existsSync('/usr/bin/npm') ? [] : undefined),
  },
  pip: {
    answers: () => ({ [`/${name}-1.0-py3-none-any.whl`]: { body: wheel } }),
    files: () => ({}),
    command: (url) =>
      `python3 -m pip install --retries 0 --trusted-host 127.0.0.1 --no-deps --disable-pip-version-check --root-user-action ignore --target out ${url}/${name}-1.0-py3-none-any.whl >&2 && PYTHONPATH=out python3 -c 'import ${name}; print(${name}.text)'`,
    clean: 'rm -rf out',
    folders: () => prefixOf('python3', ['-c', 'import pip, sys; print(sys.prefix)']),
  },
  cargo: {
    answers: (url) => ({
      '/index/config.json': { body: JSON.stringify({ dl: `${url}/{crate}-{version}.crate` }) },
      [`/index/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`]: {
        body: JSON.stringify({
          name,
          vers: '1.0.0',
          deps: [],
          cksum: createHash('sha256').update(crate).digest('hex'),
          features: {},
          yanked: false,
        }),
      },
      [`/${name}-1.0.0.crate`]: { body: crate },
    }),
    files: (url) => ({
      '.cargo/config.toml': `[source.crates-io]\nreplace-with = "local"\n[source.local]\nregistry = "sparse+${url}/index/"\n[net]\nretry = 0\n`,
      'Cargo.toml': `[package]\nname = "shop"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\n${name} = "1.0.0"\n`,
      'src/main.rs': `fn main() { assert!(${name}::one() == 1) }\n`,
    }),
    // After the first command the lock file names the version, so that nothing has to be looked up.
    command: () => 'cargo check >&2 && echo cargo works',
    clean: 'rm -rf target',
    folders: () => prefixOf('rustc', ['--print', 'sysroot']),
  },
  go: {
    answers: () => ({
      [`/example.com/${name}/@v/v1.0.0.info`]: {
        body: JSON.stringify({ Version: 'v1.0.0', Time: '2020-01-01T00:00:00Z' }),
      },
      [`/example.com/${name}/@v/v1.0.0.mod`]: { body: goMod },
      [`/example.com/${name}/@v/v1.0.0.zip`]: {
        body: zipOf({
          [`example.com/${name}@v1.0.0/go.mod`]: goMod,
          [`example.com/${name}@v1.0.0/one.go`]: 'package dep\n\nfunc One() int { return 1 }\n',
        }),
      },
    }),
    files: () => ({
      'go.mod': `module example.com/shop\n\ngo 1.20\n\nrequire example.com/${name} v1.0.0\n`,
      // A library: a program would compile the standard library too.
      'shop.go': `package shop\n\nimport dep "example.com/${name}"\n\nfunc Two() int { return dep.One() + 1 }\n`,
    }),
    command: (url) =>
      `GOPROXY=${url} GONOSUMDB='*' GOFLAGS=-mod=mod GOTOOLCHAIN=local CGO_ENABLED=0 go vet . >&2 && echo go works`,
    clean: 'true',
    folders: () => prefixOf('go', ['env', 'GOROOT']),
  },
}

/** The folder that the program names, resolved; undefined if it does not run. */
function prefixOf(program: string, args: readonly string[]): readonly string[] | undefined {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', cwd: '/' })
  if (status !== 0) return undefined
  const folder = realpathSync(stdout.trim())
  return folder === '/usr' ? [] : [folder]
}

const installed = new Map(cacheKinds.map((kind) => [kind, managers[kind].folders()]))
for (const [kind, folders] of installed) {
  if (folders === undefined)
    process.stderr.write(`The test of the cache of ${kind} is skipped: it is not installed\n`)
}

describe.runIf(sandboxHere)('the cache of a package manager', () => {
  let server: Server | undefined
  let place: ToolRuntime | undefined
  let port = 0
  const requests: string[] = []
  beforeEach(async () => {
    port = await ownPort()
    requests.length = 0
  })
  afterEach(async () => {
    await stop()
    await place?.close()
  })

  const serve = async (answers: Answers): Promise<void> => {
    server = createServer(({ url = '' }, response) => {
      requests.push(url)
      const found = answers[url]
      const headers = {
        'cache-control': 'max-age=86400',
        'content-type': found?.type ?? 'application/octet-stream',
      }
      response.writeHead(found === undefined ? 404 : 200, headers).end(found?.body ?? 'not found')
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  }
  const stop = async (): Promise<void> => {
    server?.closeAllConnections()
    await new Promise((resolve) => (server?.listening === true ? server.close(resolve) : resolve(undefined)))
  }

  test.for(cacheKinds.filter((kind) => installed.get(kind) !== undefined))(
    '%s works without network once its agent has used it',
    async (kind) => {
      const { answers, files, command, clean } = managers[kind]
      const url = `http://127.0.0.1:${port}`
      const capabilities = ['fs:read:**', 'fs:write:**', 'shell:exec', `net:connect:127.0.0.1:${port}`]
      const agentWith = (...more: string[]): object => ({
        allow: { servers: ['contextd'], capabilities: [...capabilities, ...more] },
      })
      place = await toolRuntime({
        rules: {
          agents: {
            keeper: agentWith(`shell:cache:${kind}`),
            another: agentWith(`shell:cache:${kind}`),
            plain: agentWith(),
          },
        },
        config: `[sandbox]\nmemory_mb = 2048\nreadable = ${JSON.stringify(installed.get(kind))}\n`,
      })
      for (const [path, text] of Object.entries(files(url))) {
        mkdirSync(dirname(join(place.project, path)), { recursive: true })
        writeFileSync(join(place.project, path), text)
      }
      const run = async (agent: string): Promise<{ exit_code: number; stdout: string; stderr: string }> => {
        const text = `{ ${clean}; } && { ${command(url)}; }`
        const claims = { token: { id: agent, agent } }
        const result = await place?.call('safe_bash', { command: text, timeout_ms: 300_000 }, { claims })
        return dataOf(result!) as { exit_code: number; stdout: string; stderr: string }
      }
      const works = `${kind} works\n`

      await serve(answers(url))
      const first = await run('keeper')
      expect(first.stdout, first.stderr).toBe(works)
      expect(requests.length).toBeGreaterThan(0)
      await stop()
      const second = await run('keeper')
      expect(second.stdout, second.stderr).toBe(works)
      // Nobody else has it: not another agent with the same grant, and not one without.
      for (const agent of ['another', 'plain']) expect((await run(agent)).exit_code).not.toBe(0)

      // The twins: both can install it, so only the cache was missing.
      await serve(answers(url))
      for (const agent of ['another', 'plain']) expect((await run(agent)).stdout).toBe(works)
      const stored = listCaches(join(place.home, 'cache/commands'))
      expect(stored.map(({ agent }) => agent).sort()).toEqual(['another (token)', 'keeper (token)'])
      // The user's own caches know nothing of it, and are found by the same search.
      const containing = (folder: string): string[] =>
        spawnSync('grep', ['-rl', '-e', name, folder], { encoding: 'utf8' }).stdout.split('\n').slice(0, -1)
      for (const { folder } of stored) expect(containing(join(folder, 'content'))).not.toEqual([])
      for (const own of ['.npm/_cacache/index-v5', '.cache/pip', '.cargo/registry', 'go/pkg/mod/cache'])
        expect(containing(join(homedir(), own))).toEqual([])
    },
  )
})
