import type { KeyedText } from '../../src/core/checks.ts'
import { anthropic } from '../../src/model/anthropic/dialect.ts'
import type { Dialect, Endpoint } from '../../src/model/dialect.ts'
import { decodeByteText, encodeByteText } from '../../src/core/byte-text.ts'
import { readJson } from '../../src/model/json-spans.ts'
import { createRequestMasker, type MaskedRequest, type MaskOptions } from '../../src/model/mask-request.ts'
import { createScrubEngine, type ScrubEngine } from '../../src/stages/scrub/scrubber.ts'
import { createSessionTokens, type SessionTokens } from '../../src/stages/scrub/session-tokens.ts'
import { checkHere } from './checks.ts'

export interface TestMasker {
  readonly engine: ScrubEngine
  readonly mask: (body: string, options?: Partial<MaskOptions>) => Promise<MaskedRequest>
  /** The texts of each check so far. */
  readonly checked: (readonly KeyedText[])[]
  /** What is private in the session: set it to have it masked for everybody. */
  readonly privacy: { version: number; text: string }
}

export const messages: Endpoint = { kind: 'generate', shape: 'messages' }

/** A masker with the real scrubber, in this thread. */
export function testMasker(
  tokens: SessionTokens = createSessionTokens(),
  dialect: Pick<Dialect, 'view'> = anthropic,
): TestMasker {
  const engine = createScrubEngine({ tokens })
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
  const masker = createRequestMasker({
    check: (one, whose) => {
      if (one.kind === 'texts') checked.push(one.value as readonly KeyedText[])
      return check(one, whose)
    },
    knowledge(session) {
      engine.refresh(session)
      return { secrets: engine.knownCount(), privacy: privacy.version }
    },
    isOwnTool: (tool) => tool.startsWith('mcp__contextd__'),
  })
  const mask: TestMasker['mask'] = async (text, options) => {
    const body = encodeByteText(text)
    const masked = await masker.mask({
      body,
      root: readJson(body, true),
      dialect,
      endpoint: messages,
      whose: { tenant: 'local', session: 's1', reader: 'main' },
      restored: () => [],
      issued: (given) => new Set(given.filter((token) => tokens.valueOf('s1', token) !== undefined)),
      ...options,
    })
    return { ...masked, body: decodeByteText(masked.body) }
  }
  return { engine, mask, checked, privacy }
}
