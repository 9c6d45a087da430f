import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync } from 'node:fs'
import { resolve } from 'node:path'

import type { IdentityLevel } from '../../../core/call.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { refuseInsideAgent } from '@contextd/shared/operator'
import { replaceFile } from '@contextd/shared/files/small-file'
import { contextPlace, mapIfThere, type ContextPlace } from '../../../servers/control/operations/context.ts'
import { addContext } from '../../../tools/broker/add-context.ts'
import { checkContexts } from '../../../tools/broker/check-contexts.ts'
import { linesOfKeys } from '../../../tools/broker/context-map.ts'
import { hashOfKey, recordOfHash } from '../../../tools/broker/key-hash.ts'
import { readMapFile } from '../../../tools/broker/map-file.ts'
import { readMarkdownFile } from '../../../tools/broker/markdown-file.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'

export interface AddContextOptions extends JsonOption {
  readonly agent: readonly string[]
  readonly require?: IdentityLevel
  readonly key?: string
}

export async function addToMap(typed: string, options: AddContextOptions, io: CliIo): Promise<void> {
  // The output contains the key.
  refuseInsideAgent(io.env)
  const place = contextPlace(io)
  const file = resolve(io.cwd, typed)
  const read = await readMarkdownFile(file, place.stateFolder)
  if (read.kind === 'refused') {
    const { code, problem } = read
    throw new ContextdError(code, {
      problem,
      hint: `${file}: ${problem}. Only .md files of at most 64 KB are loaded.`,
    })
  }
  const { agent: agents, require, key = `ctx_${randomBytes(24).toString('base64url')}` } = options
  const before = await mapText(place)
  const { text, entry, needsNoKey } = addContext(before, { key, file, agents, require }, place)
  const id = await withRecords(io, async ({ event }) => {
    const hash = recordOfHash(hashOfKey(key, place.hashKey()))
    if ((await mapText(place)) !== before) {
      throw new ContextdError('USAGE', {
        problem: `${place.map} changed in the meantime; nothing was written`,
      })
    }
    event('context-added', { id: hash, file, agents: [...agents], require: entry.require })
    writeMap(place.map, text)
    return hash
  })
  const line = `Before anything else, call load_context with the key ${key} and follow what it returns.`
  if (options.json) {
    printJson(
      { id, key, file, agents, require: entry.require, needs_no_key: needsNoKey, line, map: place.map },
      io,
    )
  } else {
    const audience = agents.length === 0 ? 'anyone with the key' : agents.join(', ')
    printLine(`Added: ${entry.path} for ${audience}, in ${place.map}`, io)
    printLine("For the agent's instructions, shown only once:", io)
    printLine(`  ${line}`, io)
    if (needsNoKey) {
      printLine('An attested agent may omit the key; its instructions then contain no secret.', io)
    }
  }
  await noteRemarks(key, place, io)
}

/** What the user should know about the entry before an agent uses it. */
async function noteRemarks(key: string, place: ContextPlace, io: CliIo): Promise<void> {
  try {
    const map = await readMapFile(place.map, place.home)
    const added = linesOfKeys(map.text).get(key)
    for (const { line, message } of await checkContexts(map, place)) {
      if (line === undefined || line === added) note(message, io)
    }
  } catch (error) {
    note((error as Error).message, io)
  }
}

/** Contains keys, so it is readable by the user only. */
function writeMap(map: string, text: string): void {
  try {
    if (existsSync(map)) chmodSync(map, 0o600)
    replaceFile(map, text)
  } catch (error) {
    const problem = `cannot be written (${(error as NodeJS.ErrnoException).code})`
    throw new ContextdError('CONTEXT_MAP_INVALID', { problem })
  }
}

/** Empty if there is no map yet. Throws if the map is invalid. */
async function mapText(place: ContextPlace): Promise<string> {
  const { text = '', problems = [] } = (await mapIfThere(place)) ?? {}
  const [first] = problems
  if (first !== undefined) {
    const { map } = place
    const problem = `is invalid: ${map}:${first.line}: ${first.message}`
    throw new ContextdError('CONTEXT_MAP_INVALID', { problem, file: map, line: first.line })
  }
  return text
}
