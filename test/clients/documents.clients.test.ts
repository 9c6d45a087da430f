/** What a model sees of images, PDFs and notebooks that it reads with our tools. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { pdfPages, pngOf } from '../support/document-files.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { pluginTool, runClaude, withPlugin } from './claude-code.ts'
import { makePlace, type ClientRun, type Place } from './client-run.ts'
import { makeOpencodePlace, opencodeTool, runOpencode } from './opencode.ts'

/** Its base64 contains what looks like a key. */
const noise = Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * n) >> (n % 13))).toString('latin1')
const png = pngOf(64, 48, [noise])

function putFiles({ project }: Place): void {
  writeFileSync(join(project, 'a.png'), png)
  writeFileSync(join(project, 'a.pdf'), pdfPages(['the first page', 'the second page']))
}

function scripts(toolName: (name: string) => string) {
  const read = (id: string, path: string) => [{ id, tool: toolName('safe_read'), input: { path } }]
  return { main: [read('image', 'a.png'), read('pdf', 'a.pdf'), 'done'] }
}

/** The data of every image in the requests. */
function imagesIn(run: ClientRun): Set<Json> {
  const found = new Set<Json>()
  const walk = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(walk)
    else if (isJsonObject(value)) {
      if (value.type === 'image' && isJsonObject(value.source)) found.add(value.source.data!)
      Object.values(value).forEach(walk)
    }
  }
  for (const { body } of run.requests) walk(body)
  return found
}

function checkSeen(run: ClientRun): void {
  expect(imagesIn(run)).toEqual(new Set([png.toString('base64')]))
  expect(run.saw('image').text).toContain('64 x 48')
  // It is not sent as text, too.
  expect(run.saw('image').text).not.toContain(png.toString('base64').slice(0, 40))
  if (sandboxHere) expect(run.saw('pdf').text).toContain('the second page')
}

test('Claude Code shows the model an image as an image, and a PDF as text', async () => {
  const place = makePlace()
  putFiles(place)
  checkSeen(await runClaude(place, scripts(pluginTool), withPlugin))
})

test('OpenCode does the same', async () => {
  const place = await makeOpencodePlace()
  putFiles(place)
  checkSeen(await runOpencode(place, scripts(opencodeTool)))
})
