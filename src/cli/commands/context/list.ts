import {
  checkContexts,
  listContexts,
  readMapFile,
  type ContextRemark,
  type ListedContext,
} from '../../../compose/context-files.ts'
import { errorCatalogue } from '../../../core/errors.ts'
import {
  counted,
  note,
  printJson,
  printLine,
  printTable,
  type CliIo,
  type JsonOption,
} from '../../ui/output.ts'
import { withRecords } from '../../with-runtime.ts'
import { contextPlace, mapIfThere } from './map-place.ts'

export function listMap({ json }: JsonOption, io: CliIo): Promise<void> {
  const place = contextPlace(io)
  const { map } = place
  // The records make sure of the folder that the hash key lies in.
  return withRecords(io, async () => {
    const read = await mapIfThere(place)
    const contexts = read === undefined ? [] : listContexts(read, place.hashKey())
    const problems = read?.problems ?? []
    const isUsable = problems.length === 0
    if (!isUsable) io.setExitCode(errorCatalogue.CONTEXT_MAP_INVALID.exit)
    if (json) return printJson({ map, contexts, problems }, io)
    for (const { line, message } of problems) note(`${map}:${line}: ${message}`, io)
    if (contexts.length > 0) printContexts(contexts, io)
    else if (isUsable) printLine('There are no contexts. `ctxd context add` makes one.', io)
  })
}

function printContexts(contexts: readonly ListedContext[], io: CliIo): void {
  const rows = contexts.map(({ id, path, agents, require }) => [
    id,
    path,
    agents.length === 0 ? 'whoever has the key' : agents.join(', '),
    require,
  ])
  printTable(['ID', 'FILE', 'FOR', 'REQUIRE'], rows, io)
}

export async function checkMap({ json }: JsonOption, io: CliIo): Promise<void> {
  const place = contextPlace(io)
  const map = await readMapFile(place.map, place.home)
  const remarks = await checkContexts(map, place)
  const errors = remarks.filter(({ severity }) => severity === 'error')
  const ok = errors.length === 0
  if (!ok) io.setExitCode(errorCatalogue.CONTEXT_MAP_INVALID.exit)
  if (json) return printJson({ ok, map: place.map, contexts: map.entries.length, remarks }, io)
  for (const remark of remarks) printLine(sentence(remark, place.map), io)
  if (ok) printLine(`${counted(map.entries.length, 'context')} can be loaded.`, io)
}

/** `…/context-map.toml:3: error: the file cannot be loaded: it is not there` */
function sentence({ severity, line, message }: ContextRemark, map: string): string {
  return `${map}${line === undefined ? '' : `:${line}`}: ${severity}: ${message}`
}
