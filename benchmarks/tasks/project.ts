import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** The repository that a task works in. */
export interface Project {
  readonly folder: string
  has(path: string): boolean
  read(path: string): string
  write(path: string, content: string | Uint8Array, mode?: number): void
  /** Returns what git printed, without the last line end. */
  git(...args: string[]): string
  commit(message: string): void
  /** A program in the project, such as its tests; throws if it fails. */
  run(program: string, ...args: string[]): string
}

/** Written by `ctxd init`, and absent without it. */
const setUpFiles = ['.claude', '.opencode', '.mcp.json', 'opencode.json', 'AGENTS.md']
/** What programs leave behind that differs from one run to the next. */
const leftovers = new Set(['.git', '.venv', '__pycache__', '.package-lock.json', ...setUpFiles])

const firstCommit = Date.UTC(2026, 0, 5, 9) / 1000

/** The same in every run: identity, dates and configuration included. */
export function createProject(folder: string): Project {
  let commits = 0
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, '..', 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    npm_config_update_notifier: 'false',
  }
  const run = (program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): string =>
    execFileSync(program, args, {
      cwd: folder,
      env: { ...env, ...more },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd()
  const git = (...args: string[]): string => {
    const date = `${firstCommit + 3600 * commits} +0000`
    return run('git', args, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })
  }
  const project: Project = {
    folder,
    git,
    has: (path) => existsSync(join(folder, path)),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write(path, content, mode) {
      const target = join(folder, path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, content)
      if (mode !== undefined) chmodSync(target, mode)
    },
    commit(message) {
      commits += 1
      git('add', '--all')
      git('commit', '--quiet', '--message', message)
    },
    run: (program, ...args) => run(program, args),
  }
  git('init', '--quiet', '--initial-branch', 'main')
  for (const [key, value] of [
    ['user.name', 'Anna Berg'],
    ['user.email', 'anna@example.com'],
  ])
    git('config', key!, value!)
  writeFileSync(join(folder, '.git/info/exclude'), setUpFiles.map((name) => `/${name}\n`).join(''))
  return project
}

/** Everything that a task can leave on disk, one line each: what differs between two of these differs on disk. */
export function resultIn({ folder, git }: Project): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.split('/').some((part) => leftovers.has(part)))
    .sort()
    .map((path) => {
      const whole = join(folder, path)
      const stat = lstatSync(whole)
      if (stat.isSymbolicLink()) return `${path} -> ${readlinkSync(whole)}`
      const hash = createHash('sha256').update(readFileSync(whole)).digest('hex')
      return `${path} ${(stat.mode & 0o777).toString(8)} ${hash}`
    })
  return [
    ...files,
    `branch ${git('branch', '--show-current')}`,
    `tree ${git('rev-parse', 'HEAD^{tree}')}`,
    git('status', '--porcelain', '--untracked-files=all'),
    git('log', '--all', '--topo-order', '--format=%T %an <%ae> %s'),
  ]
}
