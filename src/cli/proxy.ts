/**
 * `contextd-proxy`: one tool as an executable. A separate bundle that loads almost nothing: asks the daemon and
 * prints its answer. The rest of contextd is loaded only if no daemon is running or `CONTEXTD_ADDR` names another
 * machine.
 */

import { join } from 'node:path'

import {
  CodedError,
  ContextdError,
  describeError,
  errorCatalogue,
  isCodedError,
} from '../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { resolvePaths } from '../platform/files/paths.ts'
import { readSmallText } from '@contextd/shared/files/small-file'
import { nearest } from '@contextd/shared/text/nearest'
import { builtinNames } from '../tools/builtin/names.ts'
import { meantCommand } from './command-list.ts'
import { converse, maxLine, NoAnswer } from '../servers/local/hook-socket.ts'
import {
  readFlags,
  readOwnFlags,
  schemaFrom,
  UnknownFlag,
  type ToolFlags,
  type ToolSchema,
} from './proxy/flags.ts'
import { helpOf, programHelp } from './proxy/help.ts'
import { isJsonFileGiven, readArguments } from './proxy/input.ts'
import { readInvocation, type Invocation } from './proxy/invocation.ts'
import { printError, writeJson, printText, answerText } from './proxy/print.ts'

const cancelled = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cancelled.abort())

/** Asks a remote contextd, the daemon, or a daemon started for this call. Throws the refusal. */
async function ask(rpc: string, request: JsonObject, workspace: string): Promise<JsonObject> {
  const agent = process.env.CONTEXTD_AGENT
  const who = agent ? { agent } : {}
  if (process.env.CONTEXTD_ADDR) {
    const { callElsewhere } = await loadRest()
    return callElsewhere(process.env, rpc, request, { ...who, signal: cancelled.signal })
  }
  const asked = { method: 'call', rpc, request, workspace, client: 'contextd-proxy', ...who }
  return (await askDaemon(asked)) ?? (await askStarted(asked))
}

/** Undefined if no daemon is running. No timeout here: the daemon enforces the deadline. */
async function askDaemon(asked: JsonObject & { rpc: string }): Promise<JsonObject | undefined> {
  try {
    const answered = await converse(resolvePaths().hookSocket, asked, cancelled)
    return isJsonObject(answered) ? answered : {}
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    if (cancelled.signal.aborted) throw new ContextdError('CANCELLED')
    if (!error.wasAsked) return undefined
    const hint = 'It may have been carried out: check `ctxd audit query` before you repeat the call.'
    throw new ContextdError('DAEMON_LOST', { rpc: asked.rpc, hint })
  }
}

async function askStarted(asked: JsonObject & { rpc: string; workspace: string }): Promise<JsonObject> {
  const { startWhereAllowed } = await loadRest()
  await startWhereAllowed(process.env, asked.workspace, cancelled.signal)
  const answer = await askDaemon(asked)
  if (answer === undefined) throw new ContextdError('DAEMON_NOT_RUNNING')
  return answer
}

function loadRest(): Promise<typeof import('./proxy/rest.ts')> {
  const bundlePath = './proxy-rest.js'
  return import(bundlePath) as Promise<typeof import('./proxy/rest.ts')>
}

/** The schema in the link's folder; undefined if it is missing or invalid. */
function localSchema({ folder }: Invocation): ToolSchema | undefined {
  const text = localText(folder, 'schema.json')
  if (text === undefined) return undefined
  try {
    const about: unknown = JSON.parse(text)
    return isJsonObject(about) ? schemaFrom(about.parameters) : undefined
  } catch {
    return undefined
  }
}

function localText(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : readSmallText(join(folder, name))
}

async function schemaOf(tool: string, workspace: string): Promise<ToolSchema> {
  const { tool: found } = await ask('Tools/Get', { name: tool }, workspace)
  const schema = isJsonObject(found) ? schemaFrom(found.input_schema) : undefined
  return schema ?? { properties: {}, required: [] }
}

/** Uses the schema next to the link; if it lacks a flag, the daemon's current schema. */
async function flagsOf(invocation: Invocation, tool: string): Promise<ToolFlags> {
  const { argv, workspace } = invocation
  const schema = localSchema(invocation)
  if (schema === undefined) return readFlags(argv, await schemaOf(tool, workspace))
  try {
    return readFlags(argv, schema)
  } catch (error) {
    if (!(error instanceof UnknownFlag)) throw error
    // The daemon hides tools from agents that may not use them; then report the unknown flag by the local
    // schema.
    const current = await schemaOf(tool, workspace).catch((refused: unknown) => {
      throw refused instanceof CodedError && refused.code === 'TOOL_NOT_FOUND' ? error : refused
    })
    return readFlags(argv, current)
  }
}

let invocation: Invocation | undefined

async function run(): Promise<void> {
  const place = { cwd: process.cwd(), home: homeFolder() }
  invocation = readInvocation(process.argv[1] ?? '', process.argv.slice(2), place)
  const { tool, argv, folder, workspace } = invocation
  if (tool === undefined) {
    if (readOwnFlags(argv)?.help === true) return printText(programHelp)
    throw new ContextdError('USAGE', { problem: 'name a tool: contextd-proxy <tool> [flags]' })
  }
  const flags = readOwnFlags(argv) ?? (await flagsOf(invocation, tool))
  if (flags.help) {
    const schema = localSchema(invocation) ?? (await schemaOf(tool, workspace))
    return printText(helpOf(tool, schema, localText(folder, 'TOOL.md')))
  }
  if (flags.hasArguments && isJsonFileGiven()) {
    throw new ContextdError('USAGE', { problem: 'pass arguments as flags or as JSON on stdin, not both' })
  }
  const args = flags.hasArguments ? flags.args : await readArguments(maxLine)
  const answer = await ask('Tools/Call', { name: tool, arguments: args }, workspace)
  if (flags.json) writeJson(answer.structured ?? answer)
  else printText(answerText(answer))
  if (answer.is_error === true) throw new ContextdError('TOOL_FAILED')
}

function fail(error: unknown): void {
  const { tool, folder } = invocation ?? {}
  const object = isCodedError(error)
    ? (error as ContextdError).toObject()
    : describeError('INTERNAL', { cause: error instanceof Error ? error.message : String(error) })
  process.exitCode = errorCatalogue[object.code].exit
  const command = [...(folder === undefined ? ['contextd-proxy'] : []), ...(tool === undefined ? [] : [tool])]
  const suggestion = object.code === 'TOOL_NOT_FOUND' && tool !== undefined ? meantTool(tool) : undefined
  const hint = suggestion ?? object.hint
  printError(
    hint === undefined
      ? describeError(object.code, { ...object, command: command.join(' ') })
      : { ...object, hint },
  )
}

/** People try commands of `ctxd` here, too. */
function meantTool(name: string): string | undefined {
  const meant = nearest(name, [...builtinNames])
  if (meant !== undefined) return `Did you mean ${meant}?`
  const command = meantCommand(name)
  return command === undefined ? undefined : `Did you mean \`${command}\`?`
}

void run().catch(fail)
