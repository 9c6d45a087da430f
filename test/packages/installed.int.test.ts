/** The packages as a stranger gets them: packed, installed into an empty folder, and used from there. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { completePackages } from '../../scripts/packages/complete-packages.ts'
import { exampleOf, type Example } from '../../scripts/packages/examples.ts'
import { publishedPackages, root, workspacePackages } from '../../scripts/packages/manifest.mjs'
import { runExamples } from '../support/run-examples.ts'

const home = mkdtempSync(join(tmpdir(), 'contextd-packages-'))
const consumer = join(home, 'consumer')
const project = join(consumer, 'project')
const tarballs = join(home, 'tarballs')
const workspaces = workspacePackages()
let examples: Example[]

/** Without what npm and npx set for the program that they run, this one: `npm_config_package` would decide what npx runs. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?!config_)|npm_config_(?:call|local_prefix|package|workspaces?)$|INIT_CWD)/.test(name),
  ),
)
const ownEnv = {
  ...env,
  HOME: home,
  NO_COLOR: '1',
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CONFIG_HOME: join(home, 'config'),
}

beforeAll(async () => {
  const types = await completePackages(publishedPackages())
  examples = [...types].flatMap(([{ specifier }, { exported }]) =>
    exported.map((declaration) => exampleOf(specifier, declaration)),
  )
  for (const folder of [project, tarballs]) mkdirSync(folder, { recursive: true })
  const names = workspaces.flatMap(({ name }) => ['-w', name])
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', tarballs, ...names)
  writeConsumer()
  const files = readdirSync(tarballs).map((name) => join(tarballs, name))
  npm(consumer, 'install', '--ignore-scripts', '--prefer-offline', ...files)
})

afterAll(() => rmSync(home, { recursive: true }))

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env,
    encoding: 'utf8',
  })
}

/** Its lock file names the dependencies as ours does: then npm takes them from its cache, without asking the registry. */
function writeConsumer(): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>
  }
  const names = workspaces
    .flatMap(({ dependencies }) => dependencies)
    .filter((name) => !name.startsWith('@contextd/'))
  const locked = Object.fromEntries(
    names.map((name) => [`node_modules/${name}`, packages[`node_modules/${name}`]]),
  )
  const write = (path: string, value: unknown): void => {
    const file = join(consumer, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  }
  write('package.json', { name: 'consumer', private: true, type: 'module' })
  write('package-lock.json', {
    name: 'consumer',
    lockfileVersion: 3,
    requires: true,
    packages: { '': {}, ...locked },
  })
  write('project/app.log', `GITHUB_TOKEN=${makeSample('ghp_{alnum:36}', seededRandom(7)).text}\n`)
  write('project/acme.toml', '[[rules]]\nid = "acme"\nregex = "acme_[a-z0-9]{12}"\n')
  write('project/.claude/settings.json', { permissions: { deny: ['mcp__db__drop(*)', 'Read(./.env)'] } })
}

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function node(code: string, ...options: string[]): Ran {
  return spawnSync(process.execPath, [...options, '--eval', code], {
    cwd: consumer,
    env: ownEnv,
    encoding: 'utf8',
  })
}

/** From the project folder: npx finds the packages above it. */
function npx(args: readonly string[], input = ''): Ran {
  const npxEnv = { ...ownEnv, npm_config_cache: env.npm_config_cache ?? join(env.HOME ?? '', '.npm') }
  return spawnSync('npx', ['--no-install', ...args], { cwd: project, env: npxEnv, input, encoding: 'utf8' })
}

describe('the tarballs', () => {
  const contents = (folder: string): string[] =>
    readdirSync(join(consumer, 'node_modules', folder), { recursive: true, encoding: 'utf8' }).sort()

  test.each(workspaces)('of $name have the entry points, their types, a README and the license', (one) => {
    const files = contents(one.name)
    const promised = [
      ...one.entries.flatMap(({ output, types }) => [output, types]),
      ...one.programs.map(({ output }) => output),
    ]
    expect(files).toEqual(expect.arrayContaining(promised.map((path) => path.slice(one.folder.length + 1))))
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
  })

  test.each(workspaces)('of $name have no sources, and nothing of the private package', ({ name }) => {
    const files = contents(name).filter((path) => /\.(?:js|ts)$/.test(path))
    expect(files.filter((path) => !path.startsWith('dist/'))).toEqual([])
    const texts = files.map((path) => readFileSync(join(consumer, 'node_modules', name, path), 'utf8'))
    expect(texts.filter((text) => /(?:from|import\(?) ?['"]@contextd\/shared/.test(text))).toEqual([])
  })

  test('need no other packages than they declare', () => {
    expect(existsSync(join(consumer, 'node_modules/@contextd/shared'))).toBe(false)
    const installed = readdirSync(join(consumer, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed.sort()).toEqual(['@contextd', 'commander', 're2js', 'smol-toml', 'yaml'])
  })

  test('of contextd contain no other package', () => {
    const [{ files }] = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--dry-run', '--json')) as [
      { files: { path: string }[] },
    ]
    const paths = files.map(({ path }) => path)
    expect(paths.filter((path) => /^(?:packages|src|test|scripts|etc)\//.test(path))).toEqual([])
    const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      bin: Record<string, string>
      exports: Record<string, Record<string, string>>
    }
    const promised = [...Object.values(bin), ...Object.values(exports['.'] ?? {})]
    expect(paths).toEqual(expect.arrayContaining(promised.map((path) => path.replace(/^\.\//, ''))))
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'schema/config.schema.json']))
  })
})

describe('the entry points', () => {
  const specifiers = workspaces.flatMap(({ entries }) => entries.map(({ specifier }) => specifier))

  test('can be imported, and required where Node supports it', () => {
    const imports = specifiers.map((specifier) => `await import('${specifier}')`)
    expect(node(imports.join('\n'), '--input-type=module')).toMatchObject({ status: 0, stderr: '' })
    const requires = specifiers.map((specifier) => `require('${specifier}')`)
    expect(node(requires.join('\n'), '--input-type=commonjs', '--no-warnings')).toMatchObject({
      status: 0,
      stderr: '',
    })
  })

  test('are all that can be imported', () => {
    const code = (specifier: string): string =>
      `import('${specifier}').then(() => 'imported', ({ code }) => code).then(console.log)`
    const inner = [
      '@contextd/scrub/internal/engine',
      '@contextd/permissions/internal/cli',
      '@contextd/scrub/dist/index.js',
    ]
    for (const specifier of inner)
      expect(node(code(specifier)).stdout.trim(), specifier).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED')
    // Even with our own condition: the sources are not in the package.
    expect(node(code(inner[0]!), '--conditions=contextd-source').stdout.trim()).toBe('ERR_MODULE_NOT_FOUND')
    expect(node(code('@contextd/scrub')).stdout.trim()).toBe('imported')
  })
})

describe('the examples', () => {
  test('exist for every export', () => {
    expect(examples.filter(({ code }) => code === undefined)).toEqual([])
    expect(examples.length).toBeGreaterThan(50)
  })

  test('compile against the installed types, which hide everything internal', () => {
    const folder = join(consumer, 'types')
    mkdirSync(folder)
    const ours = examples.filter(({ specifier }) => specifier !== 'contextd')
    for (const [index, { name, code = '' }] of ours.entries())
      writeFileSync(join(folder, `${index}-${name}.ts`), code)
    writeFileSync(
      join(folder, 'internal.ts'),
      "// @ts-expect-error\nexport type { Scrubber } from '@contextd/scrub/internal/engine'\n",
    )
    writeFileSync(
      join(folder, 'common.cts'),
      "import scrub = require('@contextd/scrub')\nexport const scrubber: scrub.Scrubber = scrub.createScrubber()\n",
    )
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  test('of the packages run as they say', () => {
    const ours = examples.filter(({ specifier }) => specifier !== 'contextd')
    expect(runExamples(ours, { folder: join(consumer, 'examples'), cwd: project, env: ownEnv })).toEqual([])
  })

  test('of contextd run as they say', () => {
    const ours = examples.filter(({ specifier }) => specifier === 'contextd')
    // Inside the repository, its own name means what was built there.
    const folder = join(root, '.cache', `examples-${process.pid}`)
    try {
      expect(runExamples(ours, { folder, cwd: project, env: ownEnv })).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the programs, run through npx', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

  test('are found by the name of their package', () => {
    expect(npx(['@contextd/scrub', '--version'])).toMatchObject({ status: 0, stdout: `${version}\n` })
    expect(npx(['@contextd/permissions', '--version'])).toMatchObject({ status: 0, stdout: `${version}\n` })
  })

  test('scrub stdin', () => {
    const log = readFileSync(join(project, 'app.log'), 'utf8')
    expect(npx(['@contextd/scrub'], log)).toMatchObject({ status: 0, stdout: 'GITHUB_TOKEN=[SECRET_1]\n' })
  })

  test('lint permission files', () => {
    const { status, stdout } = npx(['@contextd/permissions', 'lint'])
    expect(stdout).toContain('.claude/settings.json:1:25: error mcp-rule-parentheses')
    expect(stdout).toContain('see: npx @contextd/permissions rules mcp-rule-parentheses')
    expect(status).toBe(1)
  })
})
