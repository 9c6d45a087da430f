import type { KeyedText } from '../../src/core/checks.ts'
import { anthropic } from '../../src/model/anthropic/dialect.ts'
import type { Dialect, Endpoint } from '../../src/model/wire/dialect.ts'
import { decodeByteText, encodeByteText } from '@contextd/shared/text/byte-text'
import { parseJsonSpans } from '../../src/model/wire/json-spans.ts'
import {
  createRequestMasker,
  type MaskedRequest,
  type MaskOptions,
  type RequestMasker,
  type RequestMaskerOptions,
} from '../../src/model/mask-request.ts'
import { createNews } from '../../src/stages/scrub/checks/news.ts'
import { createScrubEngine, type ScrubEngine } from '@contextd/scrub/internal/engine'
import { createSessionTokens, type SessionTokens } from '@contextd/scrub/internal/session-tokens'
import { checkHere } from './checks.ts'

export interface TestMasker {
  readonly engine: ScrubEngine
  readonly mask: (body: string, options?: Partial<MaskOptions>) => Promise<MaskedRequest>
  /** The same with a masker without a cache. */
  readonly maskAnew: TestMasker['mask']
  /** The texts of each check so far. */
  readonly checked: (readonly KeyedText[])[]
  /** The private text of the session; set it to have it masked for everybody. */
  readonly privacy: { version: number; text: string }
}

export const messages: Endpoint = { kind: 'generate', shape: 'messages' }

/** A masker with the real scrubber, in this thread. */
export function testMasker(
  tokens: SessionTokens = createSessionTokens(),
  dialect: Pick<Dialect, 'view'> = anthropic,
  change: (options: RequestMaskerOptions) => RequestMaskerOptions = (options) => options,
): TestMasker {
  const news = createNews()
  const engine = createScrubEngine({ tokens, onKnown: news.add })
  const privacy = { version: 0, text: '' }
  const checked: (readonly KeyedText[])[] = []
  const check = checkHere({
    scrub: engine.scrub,
    privacy: {
      mask(text) {
        const start = privacy.text === '' ? -1 : text.indexOf(privacy.text)
        if (start === -1) return { text, findings: [] }
        const end = start + privacy.text.length
        const masked = `${text.slice(0, start)}[PRIVATE]${text.slice(end)}`
        return { text: masked, findings: [{ rule: 'private-context', start, end, token: '[PRIVATE]' }] }
      },
    },
    prepareKnown() {
      while (engine.prepareNext());
      return engine.knownCount()
    },
  })
  const options: RequestMaskerOptions = {
    check: (one, whose) => {
      if (one.kind === 'texts') checked.push(one.value as readonly KeyedText[])
      return check(one, whose)
    },
    knowledge(session) {
      engine.refresh(session)
      return { secrets: news.count(), privacy: privacy.version }
    },
    knownSince: (secrets) => news.since(secrets).news.map(({ value }) => value),
    isOwnTool: (tool) => tool.startsWith('mcp__contextd__'),
  }
  const maskWith = async (masker: RequestMasker, text: string, given: Partial<MaskOptions> = {}) => {
    const { session } = given.whose ?? { session: 's1' }
    const body = encodeByteText(text)
    const masked = await masker.mask({
      body,
      root: parseJsonSpans(body, true),
      dialect,
      endpoint: messages,
      whose: { tenant: 'local', session, reader: 'main' },
      restored: () => [],
      issued: (all) => new Set(all.filter((token) => tokens.valueOf(session, token) !== undefined)),
      ...given,
    })
    return { ...masked, body: decodeByteText(masked.body) }
  }
  const masker = createRequestMasker(change(options))
  return {
    engine,
    mask: (text, given) => maskWith(masker, text, given),
    maskAnew: (text, given) => maskWith(createRequestMasker(options), text, given),
    checked,
    privacy,
  }
}
