// Runs both checks of the action with the contextd of its repository, and says what to upload and whether to fail.
// Nothing of the checked repository is run. contextd is built first, with the packages of its lock file from npm.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { prepareBuild } from '../../scripts/prepare-build.mjs'

const ctxd = fileURLToPath(new URL('../../bin/ctxd.js', import.meta.url))
const { GITHUB_WORKSPACE = '.', RUNNER_TEMP = '.', GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env
const choices = { permissions: flag('CONTEXTD_PERMISSIONS'), secrets: flag('CONTEXTD_SECRETS') }
/** Per run; a report with more findings is refused entirely. */
const maxUploaded = 25_000
const failOn = oneOf('CONTEXTD_FAIL_ON', ['error', 'warning', 'never'])
const project = resolve(GITHUB_WORKSPACE, process.env.CONTEXTD_PATH || '.')
if (!statSync(project, { throwIfNoEntry: false })?.isDirectory())
  giveUp(`There is no folder ${process.env.CONTEXTD_PATH} in the repository`)
const problem = await prepareBuild()
if (problem !== undefined) giveUp(problem)
const reports = mkdtempSync(join(RUNNER_TEMP, 'contextd-'))
// An empty home: the setup of the machine's user says nothing about the repository.
const home = join(reports, 'home')
mkdirSync(home)

const permissions = choices.permissions
  ? check('permissions.sarif', ['permissions', 'lint', '.', '--format', 'sarif', ...ignored()])
  : undefined
const secrets = choices.secrets
  ? check('secrets.sarif', ['scan', ...scanned(), '--format', 'sarif'])
  : undefined

const counted = permissions?.results.filter(({ level }) => level !== 'note') ?? []
const isFailed =
  failOn !== 'never' &&
  ((secrets?.results.length ?? 0) > 0 ||
    counted.some(({ level }) => level === 'error' || failOn === 'warning'))
const found = { 'permission-findings': counted.length, secrets: secrets?.results.length ?? 0 }
say([...(permissions?.results ?? []), ...(secrets?.results ?? [])].map(line))
put(GITHUB_OUTPUT, {
  ...found,
  'permissions-sarif': permissions?.file ?? '',
  'secrets-sarif': secrets?.file ?? '',
  failed: isFailed,
})
if (GITHUB_STEP_SUMMARY) {
  const text = `**contextd**: findings in permission files: ${found['permission-findings']}, secrets: ${found.secrets}\n`
  appendFileSync(GITHUB_STEP_SUMMARY, text)
}

/** Each joined with its flag, so that none can be interpreted as another flag. */
function ignored() {
  const lines = (process.env.CONTEXTD_IGNORE ?? '').split('\n').map((text) => text.trim())
  return lines.filter(Boolean).map((text) => `--ignore=${text}`)
}

/** What the pull request adds, if git knows its base; otherwise all files. */
function scanned() {
  const base = process.env.CONTEXTD_BASE ?? ''
  if (!/^[0-9a-f]{40,64}$/.test(base)) return ['.']
  // A folder of the pull request can be a nested repository whose configuration names programs to fetch with.
  const { status } = spawnSync(
    'git',
    ['-c', 'safe.bareRepository=explicit', 'cat-file', '-e', `${base}^{commit}`],
    {
      cwd: project,
      env: { ...process.env, GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
    },
  )
  if (status === 0) return ['--git-range', `${base}..HEAD`]
  process.stdout.write(
    'The base of the pull request is not here (fetch-depth: 0 brings it): all files are scanned.\n',
  )
  return ['.']
}

function check(name, args) {
  const file = join(reports, name)
  // Written here: if an agent started the job, contextd writes no files.
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [ctxd, ...args], {
    cwd: project,
    env: { ...withoutPlaces(process.env), HOME: home, CONTEXTD_HOME: join(home, 'contextd'), NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: Infinity,
  })
  // 1 means findings; any other non-zero code means that nothing was checked.
  if (status !== 0 && status !== 1) giveUp(`ctxd ${args[0]}: ${error?.message ?? stderr.trim()}`)
  const report = JSON.parse(stdout)
  const [run] = report.runs
  const { results } = run
  if (results.length > maxUploaded) {
    run.results = worstFirst(results).slice(0, maxUploaded)
    const cut = `${results.length} findings: the report has the worst ${maxUploaded}, as code scanning takes no more.`
    process.stdout.write(`${cut}\n`)
  }
  writeFileSync(file, run.results === results ? stdout : JSON.stringify(report))
  return { file, results }
}

function worstFirst(results) {
  const levels = ['error', 'warning', 'note']
  return results.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
}

/** Without variables that point to configuration elsewhere on the machine. */
function withoutPlaces(env) {
  const isPlace = (name) => /^(?:CLAUDE_CONFIG_DIR|XDG_CONFIG_HOME|OPENCODE_.*)$/.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isPlace(name)))
}

function line({ ruleId, level, message, locations }) {
  const { artifactLocation, region } = locations[0].physicalLocation
  const place = region?.startLine === undefined ? '' : `:${region.startLine}:${region.startColumn ?? 1}`
  return `${decodeURIComponent(artifactLocation.uri)}${place}: ${level} ${ruleId}: ${message.text}`
}

/** File and rule names come from the pull request: the runner must not interpret them as commands. */
function say(lines) {
  const end = randomUUID()
  process.stdout.write([`::stop-commands::${end}`, ...lines.map(oneLine), `::${end}::`, ''].join('\n'))
}

function oneLine(text) {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}

function put(file, values) {
  if (!file) return
  for (const [name, value] of Object.entries(values))
    appendFileSync(file, `${name}=${oneLine(String(value))}\n`)
}

function flag(name) {
  return oneOf(name, ['true', 'false']) === 'true'
}

function oneOf(name, allowed) {
  const value = process.env[name] || allowed[0]
  if (!allowed.includes(value)) giveUp(`${name} must be one of ${allowed.join(', ')}`)
  return value
}

function giveUp(message) {
  say([message])
  process.exit(2)
}
