/** Permissions in a format that OpenCode does not accept. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { FindingDetails, LintRule } from '../../findings/finding.ts'
import { actions, isAction } from '../ruleset.ts'
import type { OpenCodeSetup, OpenCodeSource } from '../setup.ts'
import { flatTools } from '../tools.ts'
import { definitionsIn, keySpan, sourcePlace, valueIn } from '../written.ts'
import { quote } from './wording.ts'

const nextVersion: LintRule<OpenCodeSetup> = {
  id: 'opencode-v2-permissions',
  severity: 'error',
  title: '`permissions`, the OpenCode 2 spelling: rejected or ignored',
  why: `OpenCode 1 supports \`permission\`. With \`permissions\` in a configuration it refuses to start ("V2 permissions are not supported by OpenCode V1"). In the frontmatter of an agent it silently ignores the key: everything that is denied there is open. It also ignores a \`permission\` in \`agents\`, the OpenCode 2 key for \`agent\`.`,
  *check({ sources }) {
    for (const { source, path, value } of definitionsIn(sources)) {
      if (value.permissions === undefined) continue
      yield misspelled(source, [...path, 'permissions'], value.permission === undefined)
    }
    for (const source of sources) {
      const agents = source.kind === 'config' ? source.value.agents : undefined
      for (const [name, agent] of Object.entries(isJsonObject(agents) ? agents : {})) {
        if (!isJsonObject(agent)) continue
        if (agent.permissions !== undefined) yield misspelled(source, ['agents', name, 'permissions'], false)
        for (const key of ['permission', 'tools']) {
          if (agent[key] === undefined) continue
          yield {
            ...sourcePlace(source, ['agents', name, key]),
            message: `OpenCode reads \`agents\` as in version 2, which has no \`${key}\`: what it denies is open.`,
            fix: 'Rename the enclosing key to `agent`.',
          }
        }
      }
    }
  },
}

function misspelled(source: OpenCodeSource, path: JsonPath, isFree: boolean): FindingDetails {
  const value = valueIn(source, path)
  const span = keySpan(source, path)
  const isValid = isAction(value) || isJsonObject(value)
  // Renaming makes it effective: until now the agent ignored it, or the client did not start.
  const grants = /"(?:allow|ask)"/.test(JSON.stringify(value))
  return {
    ...sourcePlace(source, path),
    message:
      source.kind === 'agent'
        ? 'OpenCode ignores `permissions`: what is denied here is open to this agent.'
        : 'OpenCode refuses to start: version 1 supports `permission`, only version 2 `permissions`.',
    fix: 'Rename the key to `permission`, with `"tool": "allow"`, `"ask"` or `"deny"` below it.',
    ...(source.kind === 'config' && { stopsClient: true }),
    ...(isFree &&
      isValid &&
      !grants &&
      span && {
        repairs: [
          {
            kind: 'text',
            file: source.file,
            start: span.start,
            end: span.end,
            text: source.kind === 'config' ? '"permission"' : 'permission',
          },
        ],
      }),
  }
}

const wrongWord: LintRule<OpenCodeSetup> = {
  id: 'opencode-permission-word',
  severity: 'error',
  title: 'a permission other than `allow`, `ask` or `deny`: OpenCode does not start',
  why: `A permission is one of the words \`allow\`, \`ask\` and \`deny\`, or an object with such a word for each pattern. With any other word, a list, \`true\` or \`null\`, the client rejects the whole configuration and refuses to start. ${flatTools.map((tool) => `\`${tool}\``).join(', ')} accept only a word, no patterns. The older key \`tools\` has \`true\` and \`false\` instead. An invalid agent in a folder \`mode\` is silently skipped.`,
  *check(setup) {
    // opencode-permission-variable checks values that the client does not validate.
    const checked = setup.sources.filter((source) => source.kind === 'agent' || !source.isUnchecked)
    for (const { source, path, value } of definitionsIn(checked)) {
      if (value.permission !== undefined) {
        yield* wordFaults(setup, source, [...path, 'permission'], value.permission)
      }
      yield* toolFaults(source, [...path, 'tools'], value.tools)
    }
  },
}

function* wordFaults(
  setup: OpenCodeSetup,
  source: OpenCodeSource,
  path: JsonPath,
  value: Json,
): Generator<FindingDetails> {
  if (!isJsonObject(value)) {
    if (!mayBeValid(value)) yield wordFault(setup, source, path, value)
    return
  }
  for (const [tool, rule] of Object.entries(value)) {
    const at = [...path, tool]
    if (!isJsonObject(rule)) {
      if (!mayBeValid(rule)) yield wordFault(setup, source, at, rule)
    } else if (flatTools.includes(tool)) {
      yield fault(
        source,
        at,
        `\`${tool}\` does not accept patterns`,
        `Set \`${tool}\` to one word for all calls: \`allow\`, \`ask\` or \`deny\`.`,
      )
    } else {
      for (const [pattern, word] of Object.entries(rule)) {
        if (!mayBeValid(word)) yield wordFault(setup, source, [...at, pattern], word)
      }
    }
  }
}

/** Values from the environment or a file are not known here. */
function mayBeValid(word: Json): boolean {
  return isAction(word) || (typeof word === 'string' && /\{(?:env|file):/.test(word))
}

function wordFault(
  setup: OpenCodeSetup,
  source: OpenCodeSource,
  path: JsonPath,
  value: Json,
): FindingDetails {
  const shown = quote(JSON.stringify(value), setup)
  return fault(
    source,
    path,
    `${shown} is not one of the words ${actions.join(', ')}`,
    'Write one of these words.',
  )
}

function* toolFaults(
  source: OpenCodeSource,
  path: JsonPath,
  value: Json | undefined,
): Generator<FindingDetails> {
  for (const [tool, isOn] of Object.entries(isJsonObject(value) ? value : {})) {
    if (typeof isOn === 'boolean') continue
    yield fault(
      source,
      [...path, tool],
      '`tools` accepts only true and false',
      'Move it to `permission`, and write a word.',
    )
  }
}

function fault(source: OpenCodeSource, path: JsonPath, what: string, fix: string): FindingDetails {
  const isSkipped = source.kind === 'agent' && source.isMode
  return {
    ...sourcePlace(source, path),
    message: `${what}: OpenCode ${isSkipped ? 'skips this agent' : 'reports an invalid configuration and refuses to start'}.`,
    fix,
    ...(!isSkipped && { stopsClient: true }),
  }
}

export const spellingRules = [nextVersion, wrongWord]
