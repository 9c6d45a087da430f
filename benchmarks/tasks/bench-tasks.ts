// npm run bench:tasks [-- --only NAME] [--client claude-code|opencode] [--json] [--transcripts FOLDER]: ordinary tasks,
// done by a real client and a scripted model, once with our tools and once with the client's own.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'

import { programFolders } from '../../test/clients/client-run.ts'
import { compareTask, type ClientName, type Comparison } from './compare.ts'
import { tasks } from './list/tasks.ts'
import { beginningsReport, reportOf } from './report.ts'
import { beginWith } from './run-task.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    client: { type: 'string', default: 'claude-code' },
    json: { type: 'boolean', default: false },
    transcripts: { type: 'string' },
  },
})
const client = values.client as ClientName
const chosen = tasks.filter(({ name }) => name.includes(values.only))
const compared: Comparison[] = []
const problems: string[] = []
for (const [index, task] of chosen.entries()) {
  const env = { ...process.env, PATH: programFolders.join(delimiter) }
  if (task.needs !== undefined && spawnSync('sh', ['-c', task.needs], { env }).status !== 0) {
    problems.push(`${task.name}: skipped, this fails: ${task.needs}`)
    continue
  }
  try {
    const comparison = await compareTask(task, client, index % 2 === 0)
    compared.push(comparison)
    if (!values.json) process.stderr.write(`${index + 1} of ${chosen.length}: ${task.name}\n`)
    if (values.transcripts !== undefined) writeTranscripts(values.transcripts, comparison)
  } catch (error) {
    problems.push(`${task.name}: ${String(error)}`)
  }
}
const beginnings = {
  'without contextd': await beginWith(client),
  'friendly mode': await beginWith(client, 'friendly'),
  'strict mode': await beginWith(client, 'strict'),
}
const report = `${reportOf(compared)}\n\n${beginningsReport(beginnings)}`
if (values.json) {
  const rows = compared.map(({ name, ours, own, ...rest }) => ({
    name,
    ...rest,
    ours: { ...ours.cost, wallMs: ours.wallMs },
    own: { ...own.cost, wallMs: own.wallMs },
  }))
  process.stdout.write(`${JSON.stringify({ client, tasks: rows, beginnings, problems }, null, 2)}\n`)
} else process.stdout.write(`${report}\n`)
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
if (compared.length === tasks.length) publish(client, report)

/** The last request of each conversation. */
function writeTranscripts(folder: string, { name, ours, own }: Comparison): void {
  mkdirSync(folder, { recursive: true })
  for (const [side, { last }] of Object.entries({ ours, own })) {
    writeFileSync(join(folder, `${name.replace(/\W+/g, '-')}.${side}.json`), JSON.stringify(last, null, 2))
  }
}

/** Replaces the table of this client in the page, if it has one. */
function publish(client: ClientName, table: string): void {
  const page = 'docs/reference/benchmarks.md'
  const [begin, end] = [`<!-- bench:tasks ${client} -->\n`, '<!-- end -->\n']
  const text = readFileSync(page, 'utf8')
  if (!text.includes(begin)) return
  const from = text.indexOf(begin) + begin.length
  writeFileSync(page, `${text.slice(0, from)}\n${table}\n\n${text.slice(text.indexOf(end, from))}`)
}
