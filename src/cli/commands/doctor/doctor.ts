/** `ctxd doctor`: checks everything contextd depends on, and says how to fix problems. */

import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'

import { OWN_SERVER } from '../../../core/call.ts'
import { CodedError } from '../../../core/errors/errors.ts'
import { isDiskFull } from '../../../platform/files/disk-space.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { findToolchains } from '../../../platform/toolchains.ts'
import { daemonStatus } from '../../../servers/local/running-daemon.ts'
import { newCommand, paint, printJson, printLine, processIo, type CliIo } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { withRecords, withRuntime } from '../../support/with-runtime.ts'
import { checkDoor } from './check-door.ts'
import { checkClients, checkPermissions } from './check-clients.ts'
import type { DoctorCheck, CheckResult } from './checkup.ts'

export function doctorCommand(io: CliIo = processIo()): Command {
  return newCommand('doctor', 'check this machine and suggest fixes', 'ctxd doctor').action(
    async ({ json }: { json?: true }) => {
      const checks: DoctorCheck[] = []
      for (const [id, look] of Object.entries(checkups)) checks.push({ id, ...(await examine(look, io)) })
      const ok = checks.every(({ status }) => status !== 'fail')
      if (!ok) io.setExitCode(1)
      if (json) return printJson({ ok, checks }, io)
      const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const
      for (const { id, status, message, fix } of checks) {
        const [first = '', ...more] = message.split('\n')
        io.stdout.write(`${paint(io, colours[status], status.padEnd(4))} `)
        printLine(`${id.padEnd(13)} ${first}`, io)
        for (const line of more) printLine(`${' '.repeat(19)}${line}`, io)
        if (fix !== undefined) printLine(`     fix: ${fix}`, io)
      }
    },
  )
}

const checkups: Record<string, (io: CliIo) => CheckResult | Promise<CheckResult>> = {
  node: checkNode,
  configuration: checkConfiguration,
  servers: checkServers,
  rules: checkRules,
  store: checkStore,
  keys: checkKeys,
  certificates: checkCertificates,
  sandbox: checkSandbox,
  toolchains: checkToolchains,
  memory: checkMemory,
  clients: checkClients,
  permissions: checkPermissions,
  attestation: checkAttestation,
  'moved files': checkMovedFiles,
  'model door': checkDoor,
  daemon: checkDaemon,
}

/** An unexpected failure of a check is a finding too. */
async function examine(
  look: (io: CliIo) => CheckResult | Promise<CheckResult>,
  io: CliIo,
): Promise<CheckResult> {
  try {
    return await look(io)
  } catch (error) {
    if (!(error instanceof CodedError)) return { status: 'fail', message: String(error) }
    const { message, hint } = error.toObject()
    return { status: 'fail', message, ...(hint !== undefined && { fix: hint }) }
  }
}

function checkNode(): CheckResult {
  const { node } = process.versions
  if (!node.startsWith('20.')) return { status: 'ok', message: `Node ${node}` }
  return {
    status: 'warn',
    message: `Node ${node}; this release line no longer receives security fixes`,
    fix: 'install Node 22 or newer',
  }
}

async function checkConfiguration({ env }: CliIo): Promise<CheckResult> {
  const { loadConfig } = await import('../../../platform/config/load-config.ts')
  const { configFile } = resolvePaths(env)
  const { sources } = loadConfig({ userFile: configFile, isTrusted: () => false })
  const set = [...sources.values()].filter((source) => source === 'user').length
  return { status: 'ok', message: set === 0 ? 'defaults' : `${configFile}, ${counted(set, 'key')} set` }
}

/** Does not start them: that would run their programs, which is what `ctxd upstream test` does. */
async function checkServers(io: CliIo): Promise<CheckResult> {
  const { survey } = await import('../upstream/list.ts')
  const { formatProblem } = await import('../../../platform/config/json-problem.ts')
  return withRecords(io, (records): CheckResult => {
    const { servers, problems } = survey(records, io)
    const [problem] = problems
    if (problem !== undefined) {
      return { status: 'fail', message: formatProblem(problem), fix: 'correct the file there' }
    }
    const lacking = servers.filter(({ state }) => state === 'incomplete' || state === 'not trusted')
    const usable = servers.filter(({ state }) => state === 'ok')
    if (lacking.length === 0)
      return { status: 'ok', message: `${counted(usable.length, 'MCP server')} configured` }
    return {
      status: 'warn',
      message: lacking.map(({ server, state, why = state }) => `${server.name}: ${why}`).join('\n'),
      fix: [
        ...(lacking.some(({ state }) => state === 'incomplete')
          ? ['set what is missing: variables in the environment of contextd, secrets with `ctxd secret set`']
          : []),
        ...(lacking.some(({ state }) => state === 'not trusted')
          ? ['read the file, then run `ctxd trust`']
          : []),
      ].join('; '),
    }
  })
}

async function checkRules(io: CliIo): Promise<CheckResult> {
  for (const [what, look] of [
    ['configuration', checkConfiguration],
    ['servers', checkServers],
  ] as const) {
    if ((await examine(look, io)).status !== 'fail') continue
    return {
      status: 'fail',
      message: `not checked because of the ${what}`,
      fix: `correct the ${what} first`,
    }
  }
  return withRuntime(io, ({ rules, upstream }): CheckResult => {
    const files = rules.status().files
    const untrusted = files.filter(({ state }) => state === 'not trusted').map(({ path }) => path)
    const agents = [...rules.current().agents.keys()].join(', ')
    if (untrusted.length > 0) {
      return {
        status: 'warn',
        message: `not trusted, so ignored: ${untrusted.join(', ')}`,
        fix: 'read it, then run `ctxd trust`',
      }
    }
    const known = [...upstream.health(), ...upstream.disabled().map(({ name }) => ({ server: name }))]
    const absent = rules
      .current()
      .layers.flatMap(({ agents: ofLayer }) => Array.from(ofLayer.values()))
      .flatMap(({ allow }) => allow.servers.names())
      .filter((name) => name !== OWN_SERVER && !known.some(({ server }) => server === name))
    if (absent.length > 0) {
      return {
        status: 'warn',
        message: `they allow unknown servers: ${[...new Set(absent)].join(', ')}`,
        fix: 'correct the names, or add the servers: `ctxd upstream add`',
      }
    }
    return {
      status: 'ok',
      message: `${files.map(({ path }) => path).join(', ') || 'built-in'}; agents: ${agents}`,
    }
  })
}

function checkStore(io: CliIo): Promise<CheckResult> {
  return withRecords(io, (records): CheckResult => {
    const { ok, records: count, problem } = records.verify()
    const { database, state } = resolvePaths(io.env)
    if (isDiskFull(state)) {
      return {
        status: 'fail',
        message: `${state}: the disk is full`,
        fix: 'free space; until then calls are refused because they cannot be audited',
      }
    }
    return ok
      ? { status: 'ok', message: `${database}, ${counted(count, 'audit record')}, chain intact` }
      : {
          status: 'fail',
          message: `the audit chain is broken: ${problem}`,
          fix: 'keep the file and run `ctxd audit verify`',
        }
  })
}

function checkKeys({ env }: CliIo): CheckResult {
  const { keys } = resolvePaths(env)
  if (!existsSync(keys)) return { status: 'ok', message: 'none yet; created on first use' }
  const files = (): string[] => readdirSync(keys).map((name) => join(keys, name))
  return (
    exposure(keys, '700') ??
    files()
      .map((file) => exposure(file, '600'))
      .find((finding) => finding !== undefined) ?? {
      status: 'ok',
      message: `${keys}, readable by this user only`,
    }
  )
}

async function checkCertificates({ env }: CliIo): Promise<CheckResult> {
  const { tlsConfigProblem } = await import('../../../platform/tls/tls-config-problem.ts')
  const { tls } = resolvePaths(env)
  const problem = tlsConfigProblem(tls, Date.now())
  if (problem !== undefined) throw problem
  return { status: 'ok', message: existsSync(tls) ? tls : 'none; only callers on this machine can connect' }
}

function exposure(path: string, mode: string): CheckResult | undefined {
  const found = lstatSync(path)
  if (found.uid !== process.getuid?.()) {
    return { status: 'fail', message: `${path} belongs to another user`, fix: `sudo chown $(id -u) ${path}` }
  }
  if ((found.mode & 0o077) === 0) return undefined
  return { status: 'fail', message: `${path} is accessible to other users`, fix: `chmod ${mode} ${path}` }
}

async function checkSandbox({ env }: CliIo): Promise<CheckResult> {
  const { openConfiguredSandbox } = await import('../../../compose/sandbox.ts')
  const { sandbox } = openConfiguredSandbox(env)
  const state = await sandbox.state()
  await sandbox.close()
  if (!state.available) {
    return { status: 'warn', message: `tools that run code are disabled: ${state.cause}`, fix: state.fix }
  }
  if (state.driver === 'none') {
    return {
      status: 'warn',
      message: 'THE SANDBOX IS OFF: agents run commands with all your permissions',
      fix: 'ctxd config set sandbox.mode on',
    }
  }
  const who = state.asRoot ? ', as root' : ''
  return { status: 'ok', message: `${state.version}${who}; memory: ${memoryWords[state.memory]}` }
}

/** Requests one vector: only that reveals a server that is down. */
async function checkMemory(io: CliIo): Promise<CheckResult> {
  return withRuntime(io, async ({ memory }) => {
    const embedder = await memory.embedder()
    if (embedder === undefined) return { status: 'ok', message: 'word search only: the embedder is off' }
    try {
      const [vector] = await embedder.embed(['a word'], { as: 'query' })
      const { model } = embedder
      return {
        status: 'ok',
        message: `word and semantic search (${model}, ${vector?.length ?? 0} dimensions)`,
      }
    } catch (error) {
      return {
        status: 'warn',
        message: `word search only: ${error instanceof Error ? error.message : String(error)}`,
        fix: 'check the memory section of the configuration, then run `ctxd memory reembed`',
      }
    }
  })
}

const memoryWords = {
  cgroup: 'limited by a cgroup',
  watchdog: 'best effort (per process by the kernel, in total by a watchdog)',
}

/** Commands see `/usr` only, so report programs installed in the home folder. */
async function checkToolchains({ env }: CliIo): Promise<CheckResult> {
  const { openConfiguredSandbox } = await import('../../../compose/sandbox.ts')
  const { readable } = openConfiguredSandbox(env)
  const found = findToolchains(env.HOME ?? homeFolder())
  const unseen = found.filter(({ path }) => !readable.some((folder) => `${path}/`.startsWith(`${folder}/`)))
  if (unseen.length === 0) {
    return { status: 'ok', message: readable.length === 0 ? 'those in /usr' : `/usr, ${readable.join(', ')}` }
  }
  const wanted = [...readable, ...unseen.map(({ path }) => path)]
  return {
    status: 'warn',
    message: `commands in the sandbox cannot see ${unseen.map(({ name, path }) => `${name} (${path})`).join(', ')}`,
    fix: `ctxd config set sandbox.readable '${wanted.join(', ')}'`,
  }
}

const weekMs = 7 * 86_400_000

/** Something that impersonated an agent was stopped, and is still there. */
function checkAttestation(io: CliIo): Promise<CheckResult> {
  return withRecords(io, ({ audit }): CheckResult => {
    const refused = [...audit.query({ event: 'attestation-refused', since: Date.now() - weekMs })].length
    if (refused === 0) return { status: 'ok', message: 'none refused in the last week' }
    return {
      status: 'warn',
      message: `${counted(refused, 'attestation')} refused in the last week: something impersonates agents`,
      fix: "run `ctxd audit query --event attestation-refused`, and check that project's settings for hooks",
    }
  })
}

/** A file that appeared at a guarded path while a command ran may be the user's own: it was moved, never deleted. */
function checkMovedFiles(io: CliIo): Promise<CheckResult> {
  return withRecords(io, ({ audit }): CheckResult => {
    const moved = [...audit.query({ event: 'file-moved-aside', since: Date.now() - weekMs })].flatMap(
      ({ details }) => {
        const { path, to } = details ?? {}
        return typeof path === 'string' && typeof to === 'string' && existsSync(to) ? [{ path, to }] : []
      },
    )
    const left = [...audit.query({ event: 'file-not-moved-aside', since: Date.now() - weekMs })].length
    if (left > 0) {
      return {
        status: 'fail',
        message: `${counted(left, 'command')} left files that git would run, and they could not be moved aside`,
        fix: 'run `ctxd audit query --event file-not-moved-aside`, and inspect the files before you use git there',
      }
    }
    if (moved.length === 0) return { status: 'ok', message: 'none' }
    const shown = moved.slice(0, 5).map(({ path, to }) => `mv -n ${quoted(to)} ${quoted(path)}`)
    return {
      status: 'warn',
      message: [`${counted(moved.length, 'file')} moved aside while an agent ran a command`, ...shown].join(
        '\n',
      ),
      fix: 'if you created the file yourself, move it back with the command above; if not, inspect and delete it',
    }
  })
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`
}

async function checkDaemon({ env }: CliIo): Promise<CheckResult> {
  const paths = resolvePaths(env)
  const running = await daemonStatus(paths)
  if (running !== undefined) return { status: 'ok', message: `running, pid ${running.pid}, ${running.mcp}` }
  if (!existsSync(paths.pidFile)) return { status: 'ok', message: 'not running' }
  return {
    status: 'warn',
    message: `${paths.pidFile} exists, but its daemon does not respond`,
    fix: 'restart it with `ctxd start`',
  }
}
