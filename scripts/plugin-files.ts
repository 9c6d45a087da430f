import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { hookConfig } from '../src/clients/claude-code/hook-config.ts'

const folder = 'integrations/claude-code'

/** Generates files of the Claude Code plugin: its hooks, version and license. */
export function pluginFiles(): ReadonlyMap<string, string> {
  const manifest = join(folder, '.claude-plugin/plugin.json')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  return new Map([
    [manifest, readFileSync(manifest, 'utf8').replace(/("version": )"[^"]*"/, `$1"${version}"`)],
    [join(folder, 'LICENSE'), readFileSync('LICENSE', 'utf8')],
    [join(folder, 'hooks/hooks.json'), `${JSON.stringify({ hooks: pluginHooks() }, null, 2)}\n`],
  ])
}

function pluginHooks(): object {
  const { SessionStart = [], ...calls } = hookConfig({
    server: 'plugin:contextd:contextd',
    matcherPrefix: 'mcp__plugin_contextd_contextd__',
    command: ['node', '${CLAUDE_PLUGIN_ROOT}/server/bin/contextd.js', 'hook'],
    // A plugin cannot set the base URL: its hooks detect whether the model door is on.
    door: false,
  })
  const prepare = {
    type: 'command',
    command: 'node',
    args: ['${CLAUDE_PLUGIN_ROOT}/server/session-start.mjs'],
    timeout: 600,
  }
  return { SessionStart: [{ hooks: [prepare] }, ...SessionStart], ...calls }
}
