/** Masks a request to a model. Every byte that need not change stays as the client sent it. */

import { encodeByteText } from '../core/byte-text.ts'
import type { CheckFor, Knowledge, RunCheck } from '../core/checks.ts'
import { noteFinding, type FindingCount } from '../core/trail.ts'
import type { Dialect, Endpoint, NotePlace, RequestView } from './dialect.ts'
import { sourceAt, stringAt, type JsonNode, type StringNode } from './json-spans.ts'
import { replaceSpans, type SpanChange } from './replace-spans.ts'
import { notesFor, type NoteOptions } from './request-notes.ts'
import { stringsOf, type RequestString, type StringPlace } from './request-strings.ts'
import type { RestoredValue } from './restored-values.ts'
import { readContent, type StringContent } from './string-content.ts'
import { createTextCache, type CachedStrings, type MaskedString, type TextCache } from './text-cache.ts'

export interface RequestMaskerOptions {
  readonly check: RunCheck
  /** What a cached string has to be checked again for when it changes. */
  readonly knowledge: (session: string) => Knowledge
  readonly isOwnTool: NoteOptions['isOwnTool']
  readonly cache?: TextCache
}

export interface MaskOptions {
  /** JSON, as byte text. */
  readonly body: string
  /** Of the body. */
  readonly root: JsonNode
  readonly dialect: Pick<Dialect, 'view'>
  /** Undefined: nothing is known of the body, so every string in it is checked, and nothing is added. */
  readonly endpoint: Endpoint | undefined
  readonly whose: CheckFor
  /** What was put back in a tool call. */
  readonly restored: (toolUse: string) => readonly RestoredValue[]
  readonly issued: NoteOptions['issued']
}

export interface MaskedRequest {
  /** Byte text too. */
  readonly body: string
  /** What was taken out, by rule. */
  readonly found: readonly FindingCount[]
}

export interface RequestMasker {
  /** Throws InvalidJson. Rejects where it cannot vouch for the body. */
  mask(options: MaskOptions): Promise<MaskedRequest>
}

/** A check may bring out values that are in strings checked before; each round but the last has brought out some. */
const maxRounds = 5

export function createRequestMasker(options: RequestMaskerOptions): RequestMasker {
  const { check, knowledge, isOwnTool, cache = createTextCache() } = options

  const maskStrings = async (
    body: string,
    strings: readonly RequestString[],
    whose: CheckFor,
  ): Promise<Map<StringNode, MaskedString>> => {
    for (let round = 1; ; round++) {
      const known = knowledge(whose.session)
      const { masked, missing } = lookUp(body, strings, cache.of(whose, known))
      if (missing.length === 0) return masked
      const texts = missing.flatMap(({ content }) => content.texts)
      const { changed, learned } = (await check({ kind: 'texts', value: texts }, whose)).value
      const now = knowledge(whose.session)
      const isComplete = now.secrets === known.secrets + learned && now.privacy === known.privacy
      const results = resultsOf(missing, changed)
      if (isComplete) {
        const cached = cache.of(whose, now)
        for (const { place, literal, result } of results) cached.set(place.name, literal, result)
      }
      // Where something became known, the strings that were not part of this check have to be checked for it.
      if (isComplete && learned === 0) {
        for (const { nodes, result } of results) {
          if (result !== null) for (const node of nodes) masked.set(node, result)
        }
        return masked
      }
      if (round === maxRounds)
        throw new Error('what is a secret changed faster than the request could be checked')
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

interface Missing {
  readonly place: StringPlace
  readonly literal: string
  readonly nodes: StringNode[]
  readonly content: StringContent
}

function lookUp(
  body: string,
  strings: readonly RequestString[],
  cached: CachedStrings,
): { readonly masked: Map<StringNode, MaskedString>; readonly missing: readonly Missing[] } {
  const masked = new Map<StringNode, MaskedString>()
  const missing = new Map<StringPlace, Map<string, Missing>>()
  for (const { node, place } of strings) {
    const literal = body.slice(node.start, node.end)
    const result = cached.get(place.name, literal)
    if (result === null) continue
    if (result !== undefined) {
      masked.set(node, result)
      continue
    }
    let here = missing.get(place)
    if (here === undefined) missing.set(place, (here = new Map()))
    const same = here.get(literal)
    if (same !== undefined) {
      same.nodes.push(node)
    } else {
      const { form, member, restored } = place
      const key =
        member === ''
          ? undefined
          : stringAt(member, { kind: 'string', start: 0, end: member.length, isBytes: true })
      const content = readContent(sourceAt(body, node), { form, key, restored })
      here.set(literal, { place, literal, nodes: [node], content })
    }
  }
  return { masked, missing: Array.from(missing.values(), (here) => [...here.values()]).flat() }
}

type Changed = Parameters<StringContent['write']>[0]

function resultsOf(missing: readonly Missing[], changed: Changed) {
  let at = 0
  return missing.map(({ place, literal, nodes, content }) => {
    const its = changed.slice(at, (at += content.texts.length))
    const written = content.write(its)
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
