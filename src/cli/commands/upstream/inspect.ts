/** `ctxd upstream test|tools|approve`: inspect servers' tools, and approve changed ones. */

import type { Runtime } from '../../../compose.ts'
import { CodedError, ContextdError, errorCatalogue, type ErrorObject } from '../../../core/errors/errors.ts'
import { requireOperator } from '@contextd/shared/operator'
import type { InspectedTool, Inspection } from '../../../tools/upstream/inspect.ts'
import { withControl } from '../../support/control.ts'
import {
  note,
  paint,
  printJson,
  printLine,
  printTable,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { withRuntime } from '../../support/with-runtime.ts'

type Tested =
  | { readonly name: string; readonly found: Inspection }
  | { readonly name: string; readonly error: ErrorObject }

/** Starts each server once and reports the result. */
export function testUpstream(names: readonly string[], { json }: JsonOption, io: CliIo): Promise<void> {
  return withRuntime(io, async ({ upstream }) => {
    const known = upstream.health().map(({ server }) => server)
    const tested: Tested[] = []
    for (const name of names.length === 0 ? known : names) {
      const one = await tryOne(name, upstream)
      tested.push(one)
      if (!json) printTested(one, io)
    }
    const failed = tested.find((one) => 'error' in one)
    if (failed !== undefined) io.setExitCode(errorCatalogue[failed.error.code].exit)
    if (json) printJson({ servers: tested.map(toJson) }, io)
    else if (tested.length === 0) printLine('No servers. `ctxd upstream add` adds one.', io)
  })
}

async function tryOne(name: string, { inspect }: Runtime['upstream']): Promise<Tested> {
  try {
    return { name, found: await inspect(name) }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return { name, error: error.toObject() }
  }
}

function printTested(tested: Tested, io: CliIo): void {
  if ('error' in tested) {
    io.stdout.write(`${paint(io, 'red', 'FAIL')} `)
    const { code, message, why, hint } = tested.error
    // The name is printed before it, and FAIL already says that it is unavailable.
    printLine(
      `${tested.name}: ${code === 'SERVER_UNAVAILABLE' && typeof why === 'string' ? why : message}`,
      io,
    )
    if (code !== 'SERVER_UNAVAILABLE' && hint !== undefined) printLine(`     ${hint}`, io)
    return
  }
  const { name, found } = tested
  const { tools, prompts, resources, tookMs, era, server } = found
  const protocol = era === 'modern' ? '2026-07-28' : 'up to 2025-11-25'
  const offers = [counted(tools.length, 'tool'), counted(prompts, 'prompt'), counted(resources, 'resource')]
  io.stdout.write(`${paint(io, 'green', 'ok  ')} `)
  printLine(
    `${name}: ${server.name} ${server.version}, protocol ${protocol}, ${offers.join(', ')}, ${tookMs} ms`,
    io,
  )
  printWarnings(name, { tools: found.tools.map(listed), dropped: found.dropped }, io)
}

function listed({ tool, held, findings }: InspectedTool): ListedTool {
  const { name, description } = tool
  return { name, description, state: held === undefined ? 'pinned' : 'held back', findings }
}

interface Reviewable extends Pick<Inspection, 'dropped'> {
  readonly tools: readonly ListedTool[]
}

/** Notes what the user should review. */
function printWarnings(name: string, { tools, dropped }: Reviewable, io: CliIo): void {
  const held = tools.filter(({ state }) => state === 'held back').map((tool) => tool.name)
  if (held.length > 0) {
    note(
      `${name}: ${held.join(', ')} changed and held back; review with \`ctxd upstream approve ${name}\``,
      io,
    )
  }
  for (const { name: tool, findings } of tools) {
    for (const { field, excerpt, why } of findings) {
      note(`${name}.${tool}, ${field}: ${why}: ${JSON.stringify(excerpt)}`, io)
    }
  }
  for (const { name: tool, why } of dropped) note(`skipped ${name}.${tool}: ${why}`, io)
}

function toJson(tested: Tested): object {
  if ('error' in tested) return { name: tested.name, ok: false, error: tested.error }
  const { name, found } = tested
  const { server, era, tookMs, tools, prompts, resources, dropped } = found
  return {
    name,
    ok: true,
    server,
    era,
    took_ms: tookMs,
    tools: tools.length,
    prompts,
    resources,
    held: tools.filter(({ held }) => held !== undefined).map(({ tool }) => tool.name),
    findings: tools.flatMap(({ tool, findings }) => findings.map((one) => ({ tool: tool.name, ...one }))),
    dropped,
  }
}

/** What one server offers, as it reports. */
export async function listTools(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(io, (api) => api.call('Servers/Tools', { server: name }))
  if (json) return printJson(answered, io)
  const tools = answered.tools as unknown as ListedTool[]
  const rows = tools.map((tool) => [tool.name, tool.state, firstLine(tool.description)])
  printTable(['TOOL', 'STATE', 'DESCRIPTION'], rows, io)
  printWarnings(name, { tools, dropped: answered.dropped as unknown as Inspection['dropped'] }, io)
}

/** A tool as the API reports it: as the server sent it, and our findings. */
interface ListedTool extends Pick<InspectedTool, 'findings'> {
  readonly name: string
  readonly description: string
  readonly state: 'pinned' | 'held back'
}

const maxLineLength = 80

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength - 1)}…` : line
}

/** Shows the changes, and lets agents use them after approval. */
export function approveTools(
  name: string,
  names: readonly string[],
  { json }: JsonOption,
  io: CliIo,
): Promise<void> {
  return withRuntime(io, async ({ upstream }) => {
    const { tools } = await upstream.inspect(name)
    const changed = tools.flatMap(({ tool, held, findings }) =>
      held === undefined || (names.length > 0 && !names.includes(tool.name))
        ? []
        : [{ tool, held, findings }],
    )
    const unknown = names.find((one) => !tools.some(({ tool }) => tool.name === one))
    if (unknown !== undefined)
      throw new ContextdError('NOT_FOUND', {
        what: `tool ${unknown} of ${name}`,
        name: unknown,
      })
    if (changed.length === 0) {
      if (json) return printJson({ server: name, approved: [], refused: [] }, io)
      return printLine('Nothing is held back.', io)
    }
    await requireOperator({
      ...io,
      details: changed.flatMap(({ tool, held, findings }) => [
        `${name}.${tool.name} has changed:`,
        ...held.diff.map((line) => `  ${line}`),
        ...findings.map(({ field, why, excerpt }) => `  ! ${field}: ${why}: ${JSON.stringify(excerpt)}`),
      ]),
      question: `Let agents use ${counted(changed.length, 'tool')} of ${name} as shown`,
    })
    const seen = new Map(changed.map(({ tool, held }) => [tool.name, held.sha256]))
    const { approved, refused } = await upstream.approve(name, seen)
    if (refused.length > 0) io.setExitCode(errorCatalogue.TOOL_CHANGED.exit)
    if (json) return printJson({ server: name, approved, refused }, io)
    if (approved.length > 0) printLine(`Approved: ${approved.join(', ')}`, io)
    if (refused.length > 0) note(`changed again in the meantime, and not approved: ${refused.join(', ')}`, io)
  })
}
