/** MCP servers that OpenCode ignores or rejects. */

import { isJsonObject, isTexts, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { FindingDetails, LintRule } from '../../findings/finding.ts'
import { configsOf, type OpenCodeConfig, type OpenCodeSetup } from '../setup.ts'
import { sourcePlace } from '../written.ts'
import { quote } from './wording.ts'

const serversKey: LintRule<OpenCodeSetup> = {
  id: 'opencode-mcp-servers-key',
  severity: 'warning',
  title: '`mcpServers` in an OpenCode file: none of these servers are started',
  why: `\`mcpServers\` is the key of other clients. OpenCode silently ignores it: the servers in it do not exist, and rules for their tools match nothing. OpenCode's key is \`mcp\`, where a server is \`{"type": "local", "command": ["program", "argument"], "environment": {}}\` or \`{"type": "remote", "url": "…", "headers": {}}\`. Values from the environment are written \`{env:NAME}\`, not \`\${NAME}\`.`,
  *check(setup) {
    for (const config of configsOf(setup)) {
      if (config.value.mcpServers === undefined) continue
      yield {
        ...sourcePlace(config, ['mcpServers']),
        message: 'OpenCode ignores `mcpServers`: none of the servers in it are started.',
        // Not repaired: that would start programs that do not run now.
        fix: 'Move them to `mcp`, with `type`, `command` as a list, and `environment`.',
      }
    }
  },
}

function isTextsByName(value: Json): value is { [key: string]: string } {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

function mapValues(texts: { readonly [key: string]: string }): JsonObject {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, convertVariables(text)]))
}

function convertVariables(text: string): string {
  return text.replaceAll(/\$\{(\w+)\}/g, '{env:$1}')
}

const serverShape: LintRule<OpenCodeSetup> = {
  id: 'opencode-server-shape',
  severity: 'error',
  title: 'a server below `mcp` in the format of another client: OpenCode does not start',
  why: `OpenCode requires \`"type": "local"\` with \`command\` as a list of words, or \`"type": "remote"\` with \`url\`. Anything else makes the whole configuration invalid, and the client refuses to start. \`env\` is ignored: the server starts without these variables; the correct key is \`environment\`.`,
  *check(setup) {
    for (const config of configsOf(setup)) {
      const servers = config.value.mcp
      if (servers !== undefined && !isJsonObject(servers))
        yield refusal(config, ['mcp'], '`mcp` is not an object')
      for (const [name, server] of Object.entries(isJsonObject(servers) ? servers : {})) {
        // The key of OpenCode 2, which OpenCode 1 reads too.
        if (name === 'servers' && isJsonObject(server)) continue
        yield* shapeFaults(setup, config, name, server)
      }
    }
  },
}

function* shapeFaults(
  setup: OpenCodeSetup,
  config: OpenCodeConfig,
  name: string,
  server: Json,
): Generator<FindingDetails> {
  const path = ['mcp', name]
  // Enables or disables a server of another file, regardless of other keys.
  if (isJsonObject(server) && typeof server.enabled === 'boolean' && !isServer(server)) return
  if (!isJsonObject(server) || !isServer(server)) {
    yield refusal(config, path, `${quote(name, setup)} is not a server in OpenCode's format`)
  } else if (server.type === 'local' && server.env !== undefined && server.environment === undefined) {
    const { env, ...rest } = server
    yield {
      ...sourcePlace(config, [...path, 'env']),
      severity: 'warning',
      message: `OpenCode ignores \`env\`: ${quote(name, setup)} starts without these variables.`,
      fix: 'Rename it to `environment`.',
      ...(isTextsByName(env) && {
        repairs: [
          {
            kind: 'json',
            file: config.file,
            change: (document) => withServer(document, name, { ...rest, environment: mapValues(env) }),
          },
        ],
      }),
    }
  }
}

function refusal(config: OpenCodeConfig, path: JsonPath, what: string): FindingDetails {
  return {
    ...sourcePlace(config, path),
    message: `${what}: the client refuses to start.`,
    // Not repaired: the client would start programs that do not run now.
    fix: 'Write `"type": "local"` with `command` as a list of words, or `"type": "remote"` with `url`.',
    stopsClient: true,
  }
}

function isServer({ type, command, url, environment, headers, enabled, timeout }: JsonObject): boolean {
  const isOptional = (value: Json | undefined, kind: 'boolean' | 'number'): boolean =>
    value === undefined || typeof value === kind
  if (!isOptional(enabled, 'boolean') || !isOptional(timeout, 'number')) return false
  if (type === 'remote') return typeof url === 'string' && (headers === undefined || isTextsByName(headers))
  return type === 'local' && isTexts(command) && (environment === undefined || isTextsByName(environment))
}

function withServer(document: Json, name: string, server: JsonObject): Json {
  if (!isJsonObject(document) || !isJsonObject(document.mcp)) return document
  return { ...document, mcp: { ...document.mcp, [name]: server } }
}

export const serverRules = [serversKey, serverShape]
