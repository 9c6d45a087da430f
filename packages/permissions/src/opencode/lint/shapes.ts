/** Values of another kind than OpenCode expects: with one of them it calls the configuration invalid. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { FindingDetails } from '../../findings/finding.ts'
import { agentModes } from '../client-rules.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { definitionsIn, sourcePlace } from '../written.ts'

interface Shape {
  readonly fits: (value: Json) => boolean
  /** As the end of a sentence. */
  readonly what: string
}

const text: Shape = { fits: (value) => typeof value === 'string', what: 'a string' }
const count: Shape = { fits: (value) => typeof value === 'number', what: 'a number' }
const object: Shape = { fits: isJsonObject, what: 'an object' }
const agents: Shape = {
  fits: (value) => isJsonObject(value) && Object.values(value).every(isJsonObject),
  what: 'an object with an object for each agent',
}
const oneOf = (words: readonly string[]): Shape => ({
  fits: (value) => typeof value === 'string' && words.includes(value),
  what: `one of ${words.join(', ')}`,
})

const colours = ['primary', 'secondary', 'accent', 'success', 'warning', 'error', 'info']
const colour: Shape = {
  fits: (value) => typeof value === 'string' && (colours.includes(value) || /^#[\da-f]{6}$/i.test(value)),
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
    // An agent in a folder `mode` is left out, and the client starts.
    if (source.kind === 'agent' && source.isMode) continue
    for (const [key, { fits, what }] of agent === undefined ? ofConfig : ofAgent) {
      const said = value[key]
      if (said === undefined || fits(said) || (source.kind === 'agent' && isListOfTools(key, said))) continue
      yield {
        ...sourcePlace(source, [...path, key]),
        message: `\`${key}\` must be ${what}: OpenCode calls the configuration invalid and refuses to start.`,
        fix: `Make it ${what}, or remove it.`,
        stopsClient: true,
      }
    }
  }
}

/** There is a rule of its own for what Claude Code writes there. */
function isListOfTools(key: string, value: Json): boolean {
  return key === 'tools' && (typeof value === 'string' || Array.isArray(value))
}
