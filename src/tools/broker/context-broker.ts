import { createHash, randomBytes } from 'node:crypto'

import { callerName, type Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { answer, invalidArguments, type Answer } from '../../core/result.ts'
import { addNotes } from '../../core/trail.ts'
import type { ContextEntry } from './context-map.ts'
import { findByHash, hashOfKey, recordOfHash } from './key-hash.ts'
import type { LoadContextParts } from './load-context.ts'
import { readMapFile, usableEntries } from './map-file.ts'
import { readMarkdownFile } from './markdown-file.ts'
import { isAssigned, mayLoad } from './may-load.ts'
import { createMisses } from './misses.ts'
import { createPrivateRefs, type GivenContext } from './private-refs.ts'

export interface ContextBroker {
  load(call: Call, key: string | undefined): Promise<Answer>
  readOn(call: Call, ref: string, offset: number): Promise<Answer>
}

/**
 * Returns the contexts that the map assigns. The map and the file are read on every call, so that a change takes effect
 * immediately.
 */
export function createContextBroker(parts: LoadContextParts): ContextBroker {
  const misses = createMisses(parts.clock)
  const refs = createPrivateRefs(() => randomBytes(16).toString('base64url'))

  const entries = async (): Promise<readonly ContextEntry[]> =>
    usableEntries(await readMapFile(parts.map, parts.home))

  /** The rules allow the call, but the broker refuses it. */
  const deny = (call: Call, error: ContextdError): never => {
    call.trail.decision = 'deny'
    throw error
  }

  /** Checks and counts misses without an await in between: parallel calls are parallel guesses. */
  const byKey = (call: Call, key: string, known: readonly ContextEntry[]): ContextEntry => {
    const caller = callerName(call)
    const limited = misses.refusalFor(caller)
    if (limited !== undefined) deny(call, limited)
    const hashKey = parts.hashKey()
    const found = findByHash(known, hashOfKey(key, hashKey), hashKey)
    if (found !== undefined && mayLoad(found, call)) return found
    misses.add(caller)
    if (found === undefined) throw new ContextdError('CONTEXT_KEY_UNKNOWN')
    return deny(call, new ContextdError('CONTEXT_REFUSED'))
  }

  const textOf = async ({ file }: ContextEntry, { project }: Call): Promise<string> => {
    const read = await readMarkdownFile(file, parts.stateFolder, project)
    if (read.kind === 'refused') throw new ContextdError(read.code, { problem: read.problem })
    return read.text
  }

  const idOf = ({ key }: ContextEntry): string => recordOfHash(hashOfKey(key, parts.hashKey()))

  return {
    async load(call, key) {
      const known = await entries()
      // Models send an empty string for arguments they do not use.
      const isNamed = key !== undefined && key !== ''
      const chosen = isNamed ? [byKey(call, key, known)] : known.filter((one) => isAssigned(one, call))
      const [entry] = chosen
      if (entry === undefined) throw new ContextdError('CONTEXT_NOT_ASSIGNED')
      if (chosen.length > 1) {
        const expected = `required, because ${chosen.length} contexts are meant for you`
        return invalidArguments([{ field: 'key', expected }])
      }
      const text = await textOf(entry, call)
      parts.remember(call, { key: entry.key, text })
      addNotes(call.trail, [`loaded the context ${idOf(entry)}`])
      return page(refs.give(givenTo(call, idOf(entry), text)), text, 0)
    },
    async readOn(call, ref, offset) {
      const given = refs.find(ref)
      if (given?.session !== call.session || given.caller !== callerName(call)) {
        throw new ContextdError('REF_NOT_FOUND')
      }
      // The caller may have lost access since it received the first page.
      const entry = (await entries()).find((one) => idOf(one) === given.context)
      if (entry === undefined || !mayLoad(entry, call)) throw new ContextdError('REF_EXPIRED')
      const text = await textOf(entry, call)
      if (hashOfText(text) !== given.sha256) throw new ContextdError('REF_EXPIRED')
      return page(ref, text, offset)
    },
  }
}

function givenTo(call: Call, context: string, text: string): GivenContext {
  return { session: call.session, caller: callerName(call), context, sha256: hashOfText(text) }
}

function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Everything from `offset` on, as a slice: the budget stage that shortens it says where to read on, and need not store
 * the rest.
 */
function page(ref: string, text: string, offset: number): Answer {
  const bytes = Buffer.from(text)
  let from = Math.min(offset, bytes.length)
  // An invented offset may point into the middle of a character.
  while (from > 0 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from -= 1
  const slice = { ref, from, to: bytes.length, total: bytes.length }
  return answer(bytes.toString('utf8', from), { isPrivate: true, slice })
}
