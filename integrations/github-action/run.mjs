// Runs both checks of the action with the contextd of its repository, and outputs what to upload and whether to fail.
// Nothing in the checked repository is executed. contextd is built first, with the packages of its lock file from npm.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { prepareBuild } from '../../scripts/prepare-build.mjs'

const ctxd = fileURLToPath(new URL('../../bin/ctxd.js', import.meta.url))
const { GITHUB_WORKSPACE = '.', RUNNER_TEMP = '.', GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env
const choices = { permissions: flag('CONTEXTD_PERMISSIONS'), secrets: flag('CONTEXTD_SECRETS') }
/** Limit of code scanning, which rejects reports with more findings. */
const maxUploaded = 25_000
const failOn = oneOf('CONTEXTD_FAIL_ON', ['error', 'warning', 'never'])
const project = resolve(GITHUB_WORKSPACE, process.env.CONTEXTD_PATH || '.')
if (!statSync(project, { throwIfNoEntry: false })?.isDirectory())
  giveUp(`No folder ${process.env.CONTEXTD_PATH} in the repository`)
const problem = await prepareBuild()
if (problem !== undefined) giveUp(problem)
const reports = mkdtempSync(join(RUNNER_TEMP, 'contextd-'))
// An empty home: the configuration of the machine's user says nothing about the repository.
const home = join(reports, 'home')
mkdirSync(home)

const permissions = choices.permissions
  ? check('permissions.sarif', ['permissions', 'lint', '.', '--format', 'sarif', ...ignoreFlags()])
  : undefined
const secrets = choices.secrets
  ? check('secrets.sarif', ['scan', ...scanTargets(), '--format', 'sarif'])
  : undefined

const problems = permissions?.results.filter(({ level }) => level !== 'note') ?? []
const hasFailed =
  failOn !== 'never' &&
  ((secrets?.results.length ?? 0) > 0 ||
    problems.some(({ level }) => level === 'error' || failOn === 'warning'))
const counts = { 'permission-findings': problems.length, secrets: secrets?.results.length ?? 0 }
printLines([...(permissions?.results ?? []), ...(secrets?.results ?? [])].map(line))
writeValues(GITHUB_OUTPUT, {
  ...counts,
  'permissions-sarif': permissions?.file ?? '',
  'secrets-sarif': secrets?.file ?? '',
  failed: hasFailed,
})
if (GITHUB_STEP_SUMMARY) {
  const text = `**contextd**: findings in permission files: ${counts['permission-findings']}, secrets: ${counts.secrets}\n`
  appendFileSync(GITHUB_STEP_SUMMARY, text)
}

/** Each is joined with its flag, so that none can be interpreted as another flag. */
function ignoreFlags() {
  const lines = (process.env.CONTEXTD_IGNORE ?? '').split('\n').map((text) => text.trim())
  return lines.filter(Boolean).map((text) => `--ignore=${text}`)
}

/** What the pull request adds, if git knows its base; otherwise all files. */
function scanTargets() {
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
    'The base of the pull request is not checked out (set fetch-depth: 0): all files are scanned.\n',
  )
  return ['.']
}

function check(name, args) {
  const file = join(reports, name)
  // Written by this script, because contextd writes no files in a job that an agent started.
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [ctxd, ...args], {
    cwd: project,
    env: {
      ...withoutConfigVariables(process.env),
      HOME: home,
      CONTEXTD_HOME: join(home, 'contextd'),
      NO_COLOR: '1',
    },
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
    const notice = `${results.length} findings: the report has the ${maxUploaded} most severe ones, the maximum for code scanning.`
    process.stdout.write(`${notice}\n`)
  }
  writeFileSync(file, run.results === results ? stdout : JSON.stringify(report))
  return { file, results }
}

function worstFirst(results) {
  const levels = ['error', 'warning', 'note']
  return results.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
}

/** Without variables that point to configuration elsewhere on the machine. */
function withoutConfigVariables(env) {
  const isConfigVariable = (name) => /^(?:CLAUDE_CONFIG_DIR|XDG_CONFIG_HOME|OPENCODE_.*)$/.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isConfigVariable(name)))
}

function line({ ruleId, level, message, locations }) {
  const { artifactLocation, region } = locations[0].physicalLocation
  const place = region?.startLine === undefined ? '' : `:${region.startLine}:${region.startColumn ?? 1}`
  return `${decodeURIComponent(artifactLocation.uri)}${place}: ${level} ${ruleId}: ${message.text}`
}

/** File and rule names come from the pull request: the runner must not interpret them as commands. */
function printLines(lines) {
  const end = randomUUID()
  process.stdout.write([`::stop-commands::${end}`, ...lines.map(oneLine), `::${end}::`, ''].join('\n'))
}

function oneLine(text) {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}

function writeValues(file, values) {
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
  printLines([message])
  process.exit(2)
}
