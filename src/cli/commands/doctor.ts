/** `ctxd doctor`: looks at everything contextd stands on, and says how to fix what is wrong. */

import { lstatSync } from 'node:fs'
import type { Command } from 'commander'

import { findClients } from '../../clients/find-clients.ts'
import { ContextdError } from '../../core/errors.ts'
import { resolvePaths } from '../../platform/paths.ts'
import { newCommand, paint, printJson, printLine, processIo, type CliIo } from '../ui/output.ts'
import { withRecords, withRuntime } from '../with-runtime.ts'

interface Check {
  readonly id: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly fix?: string
}
type Finding = Omit<Check, 'id'>

export function doctorCommand(io: CliIo = processIo()): Command {
  return newCommand('doctor', 'check this machine and say how to fix what is wrong', 'ctxd doctor').action(
    async ({ json }: { json?: true }) => {
      const checks: Check[] = []
      for (const [id, look] of Object.entries(checkups)) checks.push({ id, ...(await examine(look, io)) })
      const ok = checks.every(({ status }) => status !== 'fail')
      if (!ok) io.setExitCode(1)
      if (json) return printJson({ ok, checks }, io)
      const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const
      for (const { id, status, message, fix } of checks) {
        io.stdout.write(`${paint(io, colours[status], status.padEnd(4))} `)
        printLine(`${id.padEnd(13)} ${message}`, io)
        if (fix !== undefined) printLine(`     fix: ${fix}`, io)
      }
    },
  )
}

const checkups: Record<string, (io: CliIo) => Finding | Promise<Finding>> = {
  node: checkNode,
  configuration: checkConfiguration,
  rules: checkRules,
  store: checkStore,
  keys: checkKeys,
  sandbox: checkSandbox,
  clients: checkClients,
}

/** A checkup that fails in a way nobody foresaw is a finding too. */
async function examine(look: (io: CliIo) => Finding | Promise<Finding>, io: CliIo): Promise<Finding> {
  try {
    return await look(io)
  } catch (error) {
    if (!(error instanceof ContextdError)) return { status: 'fail', message: String(error) }
    const { message, hint } = error.toObject()
    return { status: 'fail', message, ...(hint !== undefined && { fix: hint }) }
  }
}

function checkNode(): Finding {
  const { node } = process.versions
  if (!node.startsWith('20.')) return { status: 'ok', message: `Node ${node}` }
  return {
    status: 'warn',
    message: `Node ${node}; this line gets no more security fixes`,
    fix: 'install Node 22 or newer',
  }
}

async function checkConfiguration({ env }: CliIo): Promise<Finding> {
  const { loadConfig } = await import('../../platform/config/load-config.ts')
  const { configFile } = resolvePaths(env)
  const { sources } = loadConfig({ userFile: configFile, isTrusted: () => false })
  const set = [...sources.values()].filter((source) => source === 'user').length
  return { status: 'ok', message: set === 0 ? 'defaults' : `${configFile}, ${set} keys set` }
}

function checkRules(io: CliIo): Promise<Finding> {
  return withRuntime(io, ({ rules }): Finding => {
    const files = rules.status().files
    const untrusted = files.filter(({ state }) => state === 'not trusted').map(({ path }) => path)
    const agents = [...rules.current().agents.keys()].join(', ')
    if (untrusted.length > 0) {
      return {
        status: 'warn',
        message: `not trusted, so without effect: ${untrusted.join(', ')}`,
        fix: 'read it, then run `ctxd trust`',
      }
    }
    return {
      status: 'ok',
      message: `${files.map(({ path }) => path).join(', ') || 'built-in'}; agents: ${agents}`,
    }
  })
}

function checkStore(io: CliIo): Promise<Finding> {
  return withRecords(io, (records): Finding => {
    const { ok, records: count, problem } = records.verify()
    const { database } = resolvePaths(io.env)
    return ok
      ? { status: 'ok', message: `${database}, ${count} audit records, chain intact` }
      : {
          status: 'fail',
          message: `the audit chain is broken: ${problem}`,
          fix: 'keep the file and run `ctxd audit verify`',
        }
  })
}

function checkKeys({ env }: CliIo): Finding {
  const { keys } = resolvePaths(env)
  const found = lstatSync(keys, { throwIfNoEntry: false })
  if (found === undefined) return { status: 'ok', message: 'none yet; made on first use' }
  if ((found.mode & 0o077) !== 0 || found.uid !== process.getuid?.()) {
    return { status: 'fail', message: `${keys} is open to others`, fix: `chmod 700 ${keys}` }
  }
  return { status: 'ok', message: `${keys}, this user only` }
}

async function checkSandbox(): Promise<Finding> {
  const { sandboxState } = await import('../../compose.ts')
  const state = await sandboxState()
  return state.available
    ? { status: 'ok', message: state.version }
    : { status: 'warn', message: `tools that run code are off: ${state.cause}`, fix: state.fix }
}

function checkClients({ env }: CliIo): Finding {
  const clients = findClients(env.PATH ?? '')
  if (clients.length > 0)
    return { status: 'ok', message: clients.map(({ id, path }) => `${id} (${path})`).join(', ') }
  return {
    status: 'warn',
    message: 'no agent client on PATH',
    fix: 'install Claude Code or OpenCode, or connect any MCP client',
  }
}
