/** Every kind of secret, in everything that tools and servers can say. */

import { join, resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

import { follow, found, type Scripts, type ToolUse } from '../scripted-model.ts'
import { kindsIn, plantedFiles } from './kinds.ts'
import { openLab, routes } from './lab.ts'
import { kindsLeaked } from './leaks.ts'
import { bash, read } from './uses.ts'

const names = Object.keys(plantedFiles)
const all = names.join(' ')
const inJson = `node -e 'console.log(JSON.stringify(process.argv.slice(1).map((f) => fs.readFileSync(f, "utf8"))))' ${all}`

const together = (project: string): ToolUse[] =>
  names.flatMap((name) => [
    bash(`cat-${name}`, `cat ${name}`),
    read(`read-${name}`, join(project, name)),
    bash(`base64-${name}`, `base64 -w0 ${name}`),
    bash(`base64-lines-${name}`, `(echo ab; cat ${name}) | base64`),
  ])
const oneByOne: readonly ToolUse[] = [
  bash('failing', `cat ${all}; exit 3`),
  bash('complaining', `cat ${all} >&2; false`),
  bash('json', inJson),
  bash('json-in-json', `${inJson} | node -e 'console.log(JSON.stringify(fs.readFileSync(0, "utf8")))'`),
  { id: 'server-fails', tool: 'mcp__leaky__fail', input: {} },
  { id: 'server-throws', tool: 'mcp__leaky__throw', input: {} },
  { id: 'server-answers', tool: 'mcp__leaky__describe', input: {} },
]
const inBackground = bash('background', `cat ${all}; touch finished`, true)
const wait = bash('wait', 'until [ -e finished ]; do sleep 0.1; done')
const output = read('output', found('being written to: (\\S+\\.output)'))

const scripts = (project: string): Scripts => ({
  main: [together(project), ...oneByOne.map((use) => [use]), [inBackground], [wait], [output], 'done'],
})

const saidByServer = ['publish.toml', 'notes.md', 'service.json', 'config.yaml', 'client.ts']

describe.each(routes)('what tools say, %s', (route) => {
  test('commands and files at once, encoded, failing, in the background, and a server', async () => {
    const args: string[] = []
    const lab = await openLab(route, scripts, {
      args,
      prepare(place) {
        const files = saidByServer.map((name) => join(place.project, name))
        const leaky = {
          command: process.execPath,
          args: [resolve('test/clients/door/leaky-server.mjs'), ...files],
          alwaysLoad: true,
        }
        args.push('--mcp-config', place.write('servers.json', { mcpServers: { leaky } }))
        args.push('--allowedTools', 'mcp__leaky')
      },
    })
    const run = await lab.say(follow('main'))
    const ids = [...together(''), ...oneByOne, output].map(({ id }) => id)
    const leaking = ids.filter((id) => kindsLeaked([JSON.stringify(run.saw(id).text)]).length > 0)
    expect(leaking).toEqual(lab.hasDoor ? [] : ids)
    expect(lab.leaked()).toEqual(lab.hasDoor ? [] : kindsIn())
    // Before any tool ran: what the server says of itself.
    const first = kindsLeaked([lab.requests[0]!.text])
    expect(first).toEqual(lab.hasDoor ? [] : kindsIn('publish.toml', 'notes.md'))
    // The rest of what they say is still there.
    for (const name of names) expect(run.saw(`cat-${name}`).text).toContain(`last line of ${name}`)
    expect(run.saw('failing')).toMatchObject({ isError: true })
    expect(run.saw('server-fails').text).toContain('connection refused')
    expect(run.saw('server-throws').text).toContain('internal error near')
    for (const [name, text] of Object.entries(plantedFiles)) expect(lab.file(name)).toBe(text)
  })
})
