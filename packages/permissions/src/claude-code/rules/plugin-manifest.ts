/** The schema of `plugin.json`. A single fault makes the client ignore the whole plugin. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'

interface ManifestFault {
  readonly path: JsonPath
  readonly expected: string
}

/** Unknown keys are allowed. */
export function manifestFaults(manifest: JsonObject): ManifestFault[] {
  const named: JsonObject = { name: null, ...manifest }
  const ofKeys = Object.entries(named).flatMap(([key, value]): ManifestFault[] => {
    const shape = shapes.get(key)
    return shape === undefined || shape.fits(value) ? [] : [{ path: [key], expected: shape.expected }]
  })
  return [...ofKeys, ...commandFaults(manifest.commands)]
}

function commandFaults(commands: Json | undefined): ManifestFault[] {
  if (!isJsonObject(commands)) return []
  return Object.entries(commands)
    .filter(([, command]) => !isCommand(command))
    .map(([name]) => ({ path: ['commands', name], expected: commandShape }))
}

const commandShape =
  'either `source`, a path that begins with `./`, or `content`, a string; and `allowedTools` as a list of strings'

function isCommand(command: Json): boolean {
  if (!isJsonObject(command)) return false
  const { source, content, allowedTools } = command
  const texts = ['content', 'description', 'argumentHint', 'model'].map((key) => command[key])
  return (
    (source === undefined || isPath(source)) &&
    texts.every((text) => text === undefined || isText(text)) &&
    (allowedTools === undefined || (Array.isArray(allowedTools) && allowedTools.every(isText))) &&
    Boolean(source) !== Boolean(content)
  )
}

interface Shape {
  readonly fits: (value: Json) => boolean
  readonly expected: string
}

const isText = (value: Json): value is string => typeof value === 'string'
const isPath = (value: Json): value is string => isText(value) && value.startsWith('./')
const isUrl = (value: Json): value is string => isText(value) && URL.canParse(value)
const oneOrMore =
  (fits: (value: Json) => boolean) =>
  (value: Json): boolean =>
    Array.isArray(value) ? value.every(fits) : fits(value)

const text: Shape = { fits: isText, expected: 'a string' }

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    'name',
    {
      fits: (value) => isText(value) && /^[^\s\p{Cc}]+$/u.test(value),
      expected: 'a name of letters, digits and dashes, without spaces',
    },
  ],
  ...['displayName', 'version', 'description', 'repository', 'license'].map((key) => [key, text] as const),
  ['homepage', { fits: isUrl, expected: 'a URL' }],
  [
    'author',
    {
      fits: (value) => isJsonObject(value) && isText(value.name ?? null) && value.name !== '',
      expected: 'an object with a `name`',
    },
  ],
  [
    'keywords',
    { fits: (value) => Array.isArray(value) && value.every(isText), expected: 'a list of strings' },
  ],
  ['defaultEnabled', { fits: (value) => typeof value === 'boolean', expected: 'true or false' }],
  [
    'commands',
    {
      fits: (value) => isJsonObject(value) || oneOrMore(isPath)(value),
      expected: 'paths that begin with `./`, or an object of commands',
    },
  ],
  [
    'agents',
    {
      fits: oneOrMore((value) => isPath(value) && value.endsWith('.md')),
      expected: 'paths of files that begin with `./` and end in `.md`',
    },
  ],
  [
    'skills',
    { fits: oneOrMore((value) => value === '.' || isPath(value)), expected: 'paths that begin with `./`' },
  ],
  [
    'hooks',
    {
      fits: oneOrMore((value) => isJsonObject(value) || (isPath(value) && value.endsWith('.json'))),
      expected: 'hooks, or paths that begin with `./` and end in `.json`',
    },
  ],
  [
    'mcpServers',
    {
      fits: oneOrMore(
        (value) =>
          isJsonObject(value) ||
          (isPath(value) && /\.(?:json|mcpb|dxt)$/.test(value)) ||
          (isUrl(value) && /\.(?:mcpb|dxt)$/.test(value)),
      ),
      expected: 'servers, or paths that begin with `./` and end in `.json` or `.mcpb`',
    },
  ],
])
