/** Masks secrets in a request to a model. All other bytes stay as the client sent them. */

import { decodeByteText, encodeByteText } from '@contextd/shared/text/byte-text'
import type { CheckFor, KeyedText, Knowledge, RunCheck } from '../core/checks.ts'
import { noteFinding, type FindingCount } from '../core/trail.ts'
import type { Dialect, Endpoint, NotePlace, RequestView } from './wire/dialect.ts'
import { sourceAt, stringAt, type JsonNode, type StringNode } from './wire/json-spans.ts'
import { replaceSpans, type SpanChange } from './wire/replace-spans.ts'
import { notesFor, type NoteOptions } from './request-notes.ts'
import { stringsOf, type RequestString, type StringPlace } from './request-strings.ts'
import type { RestoredValue } from './restored-values.ts'
import { readContent, type StringContent } from './string-content.ts'
import {
  createTextCache,
  type CachedString,
  type CachedStrings,
  type MaskedString,
  type TextCache,
} from './text-cache.ts'

export interface RequestMaskerOptions {
  readonly check: RunCheck
  /** When this changes, cached strings must be checked again. */
  readonly knowledge: (session: string) => Knowledge
  /** The values discovered after the first `secrets` ones; undefined if that is no longer known. */
  readonly knownSince: (secrets: number) => readonly string[] | undefined
  readonly isOwnTool: NoteOptions['isOwnTool']
  readonly cache?: TextCache
}

export interface MaskOptions {
  /** JSON, as byte text. */
  readonly body: string
  /** The parsed body. */
  readonly root: JsonNode
  readonly dialect: Pick<Dialect, 'view'>
  /** Undefined if the format is unknown: every string is then checked, and nothing is added. */
  readonly endpoint: Endpoint | undefined
  readonly whose: CheckFor
  /** The values that were restored in a tool call. */
  readonly restored: (toolUse: string) => readonly RestoredValue[]
  readonly issued: NoteOptions['issued']
}

export interface MaskedRequest {
  /** Byte text too. */
  readonly body: string
  /** Counts of findings by rule. */
  readonly found: readonly FindingCount[]
}

export interface RequestMasker {
  /** Throws InvalidJson. Rejects if the body cannot be checked. */
  mask(options: MaskOptions): Promise<MaskedRequest>
}

/**
 * A check may discover values that occur in strings checked before, so checks are repeated; every round but the last
 * has discovered some.
 */
const maxRounds = 5
/** For more new values, checking everything again is faster. */
const maxNewValues = 32

export function createRequestMasker(options: RequestMaskerOptions): RequestMasker {
  const { check, knowledge, knownSince, isOwnTool, cache = createTextCache() } = options

  /** The strings that contain a secret discovered since they were checked. All others stay valid. */
  const affectedBy = async (
    outdated: readonly Outdated[],
    secrets: number,
    whose: CheckFor,
  ): Promise<readonly Outdated[]> => {
    if (outdated.length === 0) return []
    const oldest = outdated.reduce((lowest, { cached }) => Math.min(lowest, cached.secrets), secrets)
    const values = knownSince(oldest)
    if (values === undefined || values.length > maxNewValues) return outdated
    const texts = outdated.map(readingsOf)
    const found = (await check({ kind: 'known', value: texts.flat(), secrets: values }, whose)).value
    const isFound = new Set(found)
    let at = 0
    return outdated.filter(({ cached }, index) => {
      const end = at + texts[index]!.length
      let isIn = false
      for (; at < end; at++) isIn ||= isFound.has(at)
      if (!isIn) cached.secrets = Math.max(cached.secrets, secrets)
      return isIn
    })
  }

  const maskStrings = async (
    body: string,
    strings: readonly RequestString[],
    whose: CheckFor,
  ): Promise<Map<StringNode, MaskedString>> => {
    for (let round = 1; ; round++) {
      const { secrets, privacy } = knowledge(whose.session)
      const cached = cache.of(whose, privacy)
      const { masked, outdated, missing } = lookUpStrings(body, strings, cached, secrets)
      const unchecked = [...missing, ...(await affectedBy(outdated, secrets, whose))]
      for (const {
        cached: { masked: result },
        nodes,
      } of outdated) {
        if (result !== null) for (const node of nodes) masked.set(node, result)
      }
      let learned = 0
      if (unchecked.length > 0) {
        const texts = unchecked.flatMap(({ content }) => content.texts)
        const { value } = await check({ kind: 'texts', value: texts }, whose)
        learned = value.learned
        for (const { place, literal, nodes, result } of resultsOf(unchecked, value.changed)) {
          cached.set(place.name, literal, { masked: result, secrets })
          for (const node of nodes)
            if (result === null) masked.delete(node)
            else masked.set(node, result)
        }
      }
      // Any string may contain values discovered in the meantime.
      const now = knowledge(whose.session)
      if (now.secrets === secrets && now.privacy === privacy) return masked
      if (round < maxRounds) continue
      if (learned === 0) return masked
      throw new Error('secrets were discovered faster than the request could be checked')
    }
  }

  return {
    async mask({ body, root, dialect, endpoint, whose, restored, issued }) {
      const view = endpoint === undefined ? plainView : dialect.view(body, root, endpoint)
      const masked = await maskStrings(body, stringsOf(body, root, view, restored), whose)
      const literals = new Map(Array.from(masked, ([node, { literal }]) => [node, literal]))
      const notes = notesFor(body, view, literals, { issued, isOwnTool })
      const found: FindingCount[] = []
      for (const { rules } of masked.values()) {
        for (const rule of rules) noteFinding({ findings: found }, { layer: 'C2', rule })
      }
      return { body: replaceSpans(body, changesOf(body, literals, notes)), found }
    },
  }
}

const plainView: RequestView = {
  exempt: new Set(),
  base64: new Set(),
  json: new Set(),
  toolUses: [],
  toolResults: [],
  texts: [],
}

/** A string that was never checked, with all its occurrences in the request. */
interface Missing {
  readonly place: StringPlace
  readonly literal: string
  readonly nodes: StringNode[]
  readonly content: StringContent
}

/** A string that was checked when fewer secrets were known. */
interface Outdated extends Missing {
  readonly cached: CachedString
}

interface CacheLookup {
  readonly masked: Map<StringNode, MaskedString>
  readonly outdated: readonly Outdated[]
  readonly missing: readonly Missing[]
}

function lookUpStrings(
  body: string,
  strings: readonly RequestString[],
  cache: CachedStrings,
  secrets: number,
): CacheLookup {
  const masked = new Map<StringNode, MaskedString>()
  const outdated: Outdated[] = []
  const missing: Missing[] = []
  const unchecked = new Map<StringPlace, Map<string, Missing>>()
  for (const { node, place } of strings) {
    const literal = body.slice(node.start, node.end)
    const cached = cache.get(place.name, literal)
    if (cached !== undefined && cached.secrets >= secrets) {
      if (cached.masked !== null) masked.set(node, cached.masked)
      continue
    }
    let here = unchecked.get(place)
    if (here === undefined) unchecked.set(place, (here = new Map()))
    const same = here.get(literal)
    if (same !== undefined) {
      same.nodes.push(node)
      continue
    }
    const one = { place, literal, nodes: [node], content: contentOf(sourceAt(body, node), place) }
    here.set(literal, one)
    if (cached === undefined) missing.push(one)
    else outdated.push({ ...one, cached })
  }
  return { masked, outdated, missing }
}

function contentOf(literal: string, { form, member, restored }: StringPlace): StringContent {
  const key =
    member === ''
      ? undefined
      : stringAt(member, { kind: 'string', start: 0, end: member.length, isBytes: true })
  return readContent(literal, { form, key, restored })
}

/**
 * The texts of a string and of its masked version: removing a secret may change how the surrounding text is decoded.
 */
function readingsOf({ place, content, cached: { masked } }: Outdated): readonly KeyedText[] {
  if (masked === null) return content.texts
  return [...content.texts, ...contentOf(decodeByteText(masked.literal), place).texts]
}

type Changed = Parameters<StringContent['write']>[0]

function resultsOf(unchecked: readonly Missing[], changed: Changed) {
  let at = 0
  return unchecked.map(({ place, literal, nodes, content }) => {
    const own = changed.slice(at, (at += content.texts.length))
    const written = content.write(own)
    const result = written && { ...written, literal: encodeByteText(written.literal) }
    return { place, literal, nodes, result }
  })
}

function changesOf(
  body: string,
  literals: ReadonlyMap<StringNode, string>,
  notes: ReadonlyMap<NotePlace, readonly string[]>,
): SpanChange[] {
  const strings = new Map(literals)
  const changes: SpanChange[] = []
  for (const [place, texts] of notes) {
    const note = texts.join('\n\n')
    if ('string' in place) {
      const { start, end } = place.string
      const literal = strings.get(place.string) ?? body.slice(start, end)
      strings.set(place.string, literal.slice(0, -1) + encodeByteText(JSON.stringify(`\n\n${note}`)).slice(1))
    } else {
      changes.push({ start: place.at, end: place.at, text: encodeByteText(place.insert(note)) })
    }
  }
  for (const [{ start, end }, text] of strings) changes.push({ start, end, text })
  return changes.sort((a, b) => a.start - b.start)
}
