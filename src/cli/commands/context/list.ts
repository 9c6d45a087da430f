import { errorCatalogue } from '../../../core/errors/errors.ts'
import type {
  ContextCheckResponseJson,
  ContextEntryJson,
  ContextListResponseJson,
  ContextRemarkJson,
} from '../../../servers/control/gen/contextd/v1/context_pb.ts'
import { contextRemarks, contextPlace, contextList } from '../../../servers/control/operations/context.ts'
import { withControl } from '../../support/control.ts'
import {
  note,
  printJson,
  printLine,
  printTable,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { withRecords } from '../../support/with-runtime.ts'

export async function listMap({ json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(
    io,
    (api) => api.call('Context/List', {}),
    // Opening the records creates the folder of the hash key.
    () => withRecords(io, () => contextList(contextPlace(io))),
  )
  const { map, contexts = [], problems = [] } = answered as ContextListResponseJson
  const isUsable = problems.length === 0
  if (!isUsable) io.setExitCode(errorCatalogue.CONTEXT_MAP_INVALID.exit)
  if (json) return printJson(answered, io)
  for (const { line, message } of problems) note(`${map}:${line}: ${message}`, io)
  if (contexts.length > 0) printContexts(contexts, io)
  else if (isUsable) printLine('No contexts. `ctxd context add` creates one.', io)
}

function printContexts(contexts: readonly ContextEntryJson[], io: CliIo): void {
  const rows = contexts.map(({ id = '', path = '', agents = [], require = '' }) => [
    id,
    path,
    agents.length === 0 ? 'anyone with the key' : agents.join(', '),
    require,
  ])
  printTable(['ID', 'FILE', 'FOR', 'REQUIRE'], rows, io)
}

export async function checkMap({ json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(
    io,
    (api) => api.call('Context/Check', {}),
    () => contextRemarks(contextPlace(io)),
  )
  const { ok = false, map = '', contexts = 0, remarks = [] } = answered as ContextCheckResponseJson
  if (!ok) io.setExitCode(errorCatalogue.CONTEXT_MAP_INVALID.exit)
  if (json) return printJson(answered, io)
  for (const remark of remarks) printLine(sentence(remark, map), io)
  if (ok) printLine(`${counted(contexts, 'context')} can be loaded.`, io)
}

/** `…/context-map.toml:3: error: the file cannot be loaded: it is not there` */
function sentence({ severity, line, message }: ContextRemarkJson, map: string): string {
  return `${map}${line === undefined ? '' : `:${line}`}: ${severity}: ${message}`
}
