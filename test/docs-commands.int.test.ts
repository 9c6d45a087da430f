import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { sandboxHere } from './support/sandbox-here.ts'
import { codeBlocks, commandsOf, matchesOutput } from '@contextd/shared/testing/markdown-blocks'
import { workspacePackages } from '../scripts/packages/manifest.mjs'
import { ownPort } from './support/own-port.ts'
import { runExamples } from './support/run-examples.ts'
import { newProcessMark } from './support/process-mark.ts'
import { runOnTerminal } from '@contextd/shared/testing/terminal'
import { until } from '@contextd/shared/testing/until'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Pages for users of a single package: programs run through npx, and TypeScript that imports it. */
const packagePages = workspacePackages().map(({ folder }) => join(folder, 'README.md'))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
  ...packagePages,
]

/** Shown, but tested elsewhere: in a fresh clone by CI, or with a client that is not part of the product. */
const runElsewhere = /^(?:npm |npx (?!@contextd\/)|git |claude |apt-get |sudo |\.ci\/run)/
/** curl is not on every machine; other tests cover the same with Node. */
const hasCurl = spawnSync('curl', ['--version']).status === 0
/** Prompts the user, so it runs on a terminal where the answer is yes. */
const asks =
  /^(?:ctxd|contextd) init\b(?!.*--(?:help|dry-run))|^ctxd (?:trust|config set|secret (?:set|forget)|tool (?:approve|install|update|remove)|tls (?:init|issue|revoke|rotate)|webhooks (?:add|remove)|upstream (?:add|remove|import|approve|login|logout))\b(?!.*--(?:list|help))/

/** npm would otherwise print that a newer version is available. */
const quietNpm = { npm_config_update_notifier: 'false' }

let home: string
let project: string
let port: number
const mark = newProcessMark()

beforeAll(async () => {
  port = await ownPort()
})

async function bash(command: string): Promise<{ status: number | null; output: string }> {
  const script = command.replaceAll('7391', String(port))
  const path = `${home}/bin:${process.env.PATH}`
  const env = { PATH: path, HOME: home, NO_COLOR: '1', LANG: 'C.UTF-8', ...quietNpm, ...mark.env }
  const { status, output } = asks.test(script)
    ? await runOnTerminal(script, [[/\[y\/N\] $/, 'y\n']], { env, cwd: project })
    : runScript(script, env)
  return { status, output: output.replaceAll(String(port), '7391') }
}

/** Like `npm install`, but linked to the build. */
function installPackages(): void {
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync(join(root, 'node_modules/@contextd'), join(modules, '@contextd'))
  for (const { programs } of workspacePackages()) {
    for (const { specifier, output } of programs)
      symlinkSync(join(root, output), join(modules, '.bin', specifier))
  }
}

function runScript(script: string, env: NodeJS.ProcessEnv): { status: number | null; output: string } {
  const options = { cwd: project, env, encoding: 'utf8', timeout: 150_000 } as const
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], options)
  return { status, output: `${stdout}${stderr}` }
}

describe.each(pages)('%s', (page) => {
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'ctxd-docs-'))
    project = join(home, 'project')
    for (const folder of ['bin', 'project', '.config/contextd'])
      mkdirSync(join(home, folder), { recursive: true })
    for (const name of ['contextd', 'ctxd'])
      symlinkSync(join(root, 'bin', `${name}.js`), join(home, 'bin', name))
    writeFileSync(join(home, '.config/contextd/config.toml'), `[http]\nport = ${port}\n`)
    if (packagePages.includes(page)) installPackages()
  })
  afterAll(async () => {
    if (mark.processes().length > 0) await bash('ctxd stop || true')
    // Processes that a page started write there until they exit, even if stopping them failed.
    await until(() => mark.processes().length === 0)
    rmSync(home, { recursive: true })
  })

  const blocks = codeBlocks(readFileSync(join(root, page), 'utf8'))
  test('every block has a language that is checked', () => {
    const known = new Set(['sh', 'console', 'json', 'toml', 'ts', 'text', 'md', 'markdown', 'js', 'yaml'])
    expect(blocks.filter(({ language }) => !known.has(language))).toEqual([])
  })

  for (const block of blocks) {
    if (block.path !== undefined) {
      test(`line ${block.line}: the file ${block.path} can be written`, () => {
        const path = block.path?.replace(/^~/, home) ?? ''
        const target = path.startsWith('/') ? path : join(project, path)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, block.text.replaceAll('7391', String(port)))
      })
      continue
    }
    if (block.language === 'ts' && packagePages.includes(page)) {
      test(`line ${block.line}: the program runs and prints the documented output`, () => {
        const example = { specifier: page, name: `line ${block.line}`, code: block.text }
        const env = { ...process.env, HOME: home }
        expect(runExamples([example], { folder: join(project, '.examples'), cwd: project, env })).toEqual([])
      })
    }
    for (const { command, output } of commandsOf(block)) {
      if (runElsewhere.test(command)) continue
      test.skipIf(
        (command.includes('curl ') && !hasCurl) || (command.includes('ctxd tool run') && !sandboxHere),
      )(`line ${block.line}: ${command.trim().split('\n')[0]}`, async () => {
        const real = await bash(command)
        if (output === undefined || output === '') expect(real, real.output).toMatchObject({ status: 0 })
        else if (!matchesOutput(output, real.output)) expect(real.output).toBe(output)
      })
    }
  }
})
