/** Values of the wrong type, which make OpenCode reject the configuration. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { FindingDetails } from '../../findings/finding.ts'
import { agentModes } from '../client-rules.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { definitionsIn, sourcePlace } from '../written.ts'

interface Shape {
  readonly isValid: (value: Json) => boolean
  /** As the end of a sentence. */
  readonly what: string
}

const text: Shape = { isValid: (value) => typeof value === 'string', what: 'a string' }
const count: Shape = { isValid: (value) => typeof value === 'number', what: 'a number' }
const object: Shape = { isValid: isJsonObject, what: 'an object' }
const agents: Shape = {
  isValid: (value) => isJsonObject(value) && Object.values(value).every(isJsonObject),
  what: 'an object with an object for each agent',
}
const oneOf = (words: readonly string[]): Shape => ({
  isValid: (value) => typeof value === 'string' && words.includes(value),
  what: `one of ${words.join(', ')}`,
})

const colours = ['primary', 'secondary', 'accent', 'success', 'warning', 'error', 'info']
const colour: Shape = {
  isValid: (value) => typeof value === 'string' && (colours.includes(value) || /^#[\da-f]{6}$/i.test(value)),
  what: `a colour such as "#38A3EE", or ${oneOf(colours).what}`,
}

const ofConfig = new Map([
  ['agent', agents],
  ['experimental', object],
  ['mode', agents],
  ['model', text],
  ['subagent_depth', count],
  ['tools', object],
])

const ofAgent = new Map([
  ['color', colour],
  ['description', text],
  ['mode', oneOf(agentModes)],
  ['model', text],
  ['temperature', count],
  ['tools', object],
])

export function* wrongShapes({ sources }: OpenCodeSetup): Generator<FindingDetails> {
  for (const { source, path, value, agent } of definitionsIn(sources)) {
    // The client skips an invalid agent in a folder `mode` and starts.
    if (source.kind === 'agent' && source.isMode) continue
    for (const [key, { isValid, what }] of agent === undefined ? ofConfig : ofAgent) {
      const actual = value[key]
      if (actual === undefined || isValid(actual) || (source.kind === 'agent' && isListOfTools(key, actual)))
        continue
      yield {
        ...sourcePlace(source, [...path, key]),
        message: `\`${key}\` must be ${what}: OpenCode reports an invalid configuration and refuses to start.`,
        fix: `Change it to ${what}, or remove it.`,
        stopsClient: true,
      }
    }
  }
}

/** The format of Claude Code, reported by opencode-claude-frontmatter. */
function isListOfTools(key: string, value: Json): boolean {
  return key === 'tools' && (typeof value === 'string' || Array.isArray(value))
}
