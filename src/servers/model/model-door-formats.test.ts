/** The guarantees of the model door, in the format of every provider. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { until } from '../../../test/support/http-connection.ts'
import {
  askModel,
  bytesBelow,
  startModelDoor,
  type DoorFixture,
  type ModelReply,
} from '../../../test/support/model-door.ts'
import { modelWires, type ModelWire, type WireCall } from '../../../test/support/model-wires.ts'
import { keptNote } from '../../model/request-notes.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'

/** A made-up key with a valid format. */
const secret = ['ghp', 'x9Qm2VtL7cR4bNs8KpW1zYd6HfJ3aGu5TeXo'].join('_')
/** A value that no rule finds by itself. */
const weak = 'hunter2a'

const json = (tool: string, input: object): WireCall => ({ tool, input: JSON.stringify(input), form: 'json' })

/** A file edit in each client's format; `one` and `two` are its representations of the secrets. */
const edits: Readonly<Record<string, (path: string, one: string, two: string) => WireCall>> = {
  'Anthropic, Messages': (path, one, two) =>
    json('Edit', {
      file_path: path,
      old_string: `TOKEN=${one}\npassword: "${two}"`,
      new_string: `TOKEN=${one}\npassword: "${two}" # kept`,
    }),
  'OpenAI, Responses': (path, one, two) => ({
    tool: 'apply_patch',
    form: 'text',
    input: `*** Begin Patch\n*** Update File: ${path}\n@@\n TOKEN=${one}\n-password: "${two}"\n+password: "${two}" # kept\n*** End Patch\n`,
  }),
  'OpenAI, Chat Completions': (path, one, two) =>
    json('edit', {
      filePath: path,
      oldString: `TOKEN=${one}\npassword: "${two}"`,
      newString: `TOKEN=${one}\npassword: "${two}" # kept`,
    }),
  Gemini: (path, one, two) =>
    json('write_file', { file_path: path, content: `TOKEN=${one}\npassword: "${two}" # kept\n` }),
}

const ask = (
  door: DoorFixture,
  wire: ModelWire,
  body: object,
  { isStream = false, path = wire.path(isStream) }: { isStream?: boolean; path?: string } = {},
): Promise<ModelReply> =>
  askModel(door.base(wire.api) + path, { body, headers: { 'x-claude-code-session-id': 'c1' } })

function answerWith(door: DoorFixture, wire: ModelWire, call: WireCall, isStream: boolean): void {
  door.provider.answer((response) => {
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    // Every character of the input in its own chunk.
    response.end(isStream ? wire.stream(call, Array.from(call.input)) : wire.whole(call))
  })
}

const sent = ({ provider }: DoorFixture): string => String(provider.seen.at(-1)?.body)
const outcomes = async ({ runtime }: DoorFixture, count: number): Promise<SqlRow[]> => {
  const all = (): SqlRow[] => runtime.store.rows('audit', { tenant: 'local' }).all({ kind: 'outcome' })
  await until(() => all().length >= count)
  return all()
}
const meant = ({ input, form }: WireCall): unknown => (form === 'json' ? JSON.parse(input) : input)

describe.each(Object.entries(modelWires))('%s', (name, wire) => {
  const edit = edits[name]!

  test.each([false, true])(
    'secrets are masked, and an edit gets those of the file it changes back (stream: %s)',
    async (isStream) => {
      const door = await startModelDoor()
      const file = join(door.home.project, 'settings')
      writeFileSync(file, `TOKEN=${secret}\npassword: "${weak}"\n`)
      const said = `The file: ${readFileSync(file, 'utf8')}`
      const written = async (call: WireCall): Promise<WireCall> => {
        answerWith(door, wire, call, isStream)
        const reply = await ask(door, wire, wire.request(said), { isStream })
        expect(reply.status).toBe(200)
        return { ...call, input: wire.inputIn(reply.text) }
      }
      const inFile = await written(edit(file, '[SECRET_1]', '[SECRET_2]'))
      expect(sent(door)).toContain(`TOKEN=[SECRET_1]\\npassword: \\"[SECRET_2]\\"`)
      expect(meant(inFile)).toEqual(meant(edit(file, secret, weak)))
      const elsewhere = edit(join(door.home.project, 'new'), '[SECRET_1]', '[SECRET_2]')
      expect(meant(await written(elsewhere))).toEqual(meant(elsewhere))

      // Restored values are masked again, including the one that no rule finds in the result.
      await ask(door, wire, wire.request('Go on', inFile, `Now it says ${weak} and ${secret}`))
      expect(wire.turnIn(sent(door)).result).toMatch(/^Now it says \[SECRET_2\] and \[SECRET_1\]/)
      expect(wire.turnIn(sent(door)).result).not.toContain('was not replaced')
      await ask(door, wire, wire.request('Go on', elsewhere, 'done'))
      expect(wire.turnIn(sent(door)).result).toBe(`done\n\n${keptNote(['[SECRET_1]', '[SECRET_2]'])}`)

      for (const { body } of door.provider.seen) {
        expect(String(body)).not.toContain(secret)
        expect(String(body)).not.toContain(weak)
      }
      const [first, second] = (await outcomes(door, 4)).map(({ notes }) => String(notes))
      expect(first).toContain('restored: [SECRET_1]')
      expect(second).toContain('restore refused: [SECRET_1]')
      expect(bytesBelow(join(door.home.path, 'state'))).not.toContain(secret)
    },
  )

  test("an exhausted budget is the provider's rate limit error", async () => {
    const limits = { model_tokens_per_session: 135 }
    const rules = { agents: { main: { allow: { servers: ['contextd'] }, limits } } }
    const door = await startModelDoor({ rules })
    answerWith(door, wire, edit('/f', 'a', 'b'), true)
    expect((await ask(door, wire, wire.request('Hi'), { isStream: true })).status).toBe(200)
    const [{ output } = {}] = await outcomes(door, 1)
    const usage = JSON.parse(String(output)).usage as Record<string, number>
    expect(Object.values(usage).reduce((sum, tokens) => sum + tokens, 0)).toBe(135)
    const refused = await ask(door, wire, wire.request('Hi'), { isStream: true })
    expect(refused).toMatchObject({ status: 429, headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(refused.text)).toMatchObject(wire.error(429))
    expect(JSON.parse(refused.text).error.message).toMatch(
      /^contextd: .*\bmain\b.*\b135\b.*model_tokens_per_session in .*rules\.json:\d+/,
    )
    expect(door.provider.seen).toHaveLength(1)
  })

  test('an unknown endpoint passes only without a secret', async () => {
    const door = await startModelDoor()
    answerWith(door, wire, edit('/f', 'a', 'b'), false)
    const path = '/v1/something-new'
    const refused = await ask(door, wire, wire.request(`It is ${secret}`), { path })
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.text)).toMatchObject(wire.error(400))
    expect(JSON.parse(refused.text).error.message).toMatch(/^contextd: Found /)
    expect(refused.text).not.toContain(secret)
    expect(door.provider.seen).toEqual([])
    expect((await ask(door, wire, wire.request('It is nothing'), { path })).status).toBe(200)
    expect(sent(door)).toBe(JSON.stringify(wire.request('It is nothing')))
  })
})
