/** Finding something out, and writing it down: the answer is on disk, so both sets of tools must have shown it. */

import assert from 'node:assert/strict'

import { seededRandom } from '@contextd/shared/testing/secret-samples'
import { found } from '../../../test/clients/scripted-model.ts'
import { edit, find, grep, read, run, runFailing, write, type Task } from '../task.ts'
import { writeShop } from './shop.ts'

const paths = ['/', '/cart', '/login', '/orders', '/search', '/static/app.js']

/** As a server writes it, with three errors. */
function serverLog(lines: number): string {
  const random = seededRandom(11)
  const pick = (below: number): number => Math.floor(random() * below)
  const all = Array.from({ length: lines }, (_, at) => {
    const time = new Date(Date.UTC(2026, 2, 9, 6) + at * 900).toISOString()
    return `${time} INFO request ${pick(90_000) + 10_000} GET ${paths[pick(paths.length)]} 200 ${pick(80) + 3}ms`
  })
  for (const [at, worker] of [
    [1207, 3],
    [2950, 7],
    [4410, 3],
  ] as const) {
    const time = all[at]!.slice(0, 24)
    all[at] =
      `${time} ERROR worker ${worker} lost its connection to db-${worker}: pool exhausted after 30000ms`
    all[at - 1] = `${time} WARN worker ${worker} waits for a connection, 20 of 20 in use`
  }
  return `${all.join('\n')}\n`
}

const readLog: Task = {
  name: 'find the cause in a log of 5,000 lines',
  create(project) {
    writeShop(project)
    project.write('logs/server.log', serverLog(5000))
    project.commit('Start')
  },
  turns: () => [
    grep('ERROR|WARN', 'logs/server.log'),
    read('logs/server.log', 4395, 25),
    write('cause.md', `${found('(worker 3 lost its connection to db-3: pool exhausted after 30000ms)')}\n`),
  ],
  check: (project) => assert.match(project.read('cause.md'), /^worker 3 lost .* after 30000ms\n$/),
}

const chapters = 90

const readWhole: Task = {
  name: `read a document of ${chapters * 18} lines`,
  create(project) {
    const random = seededRandom(12)
    const words = 'server order price customer table index cache worker queue page total retry limit'.split(
      ' ',
    )
    const sentence = (): string =>
      Array.from({ length: 9 }, () => words[Math.floor(random() * words.length)]).join(' ')
    const text = Array.from({ length: chapters }, (_, at) => {
      const lines = Array.from({ length: 15 }, () => `${sentence()}.`)
      if (at === 61) lines[7] = 'The port of the metrics endpoint is 9464.'
      return `## Chapter ${at + 1}\n\n${lines.join('\n')}\n\n`
    })
    project.write('docs/handbook.md', text.join(''))
    project.commit('Start')
  },
  turns: () => [read('docs/handbook.md'), write('answer.txt', `${found('metrics endpoint is (\\d+)')}\n`)],
  check: (project) => assert.equal(project.read('answer.txt'), '9464\n'),
}

const sumTable: Task = {
  name: 'sum up a table of 12,000 rows',
  create(project) {
    const random = seededRandom(13)
    const rows = Array.from({ length: 12_000 }, (_, at) => {
      const region = ['north', 'south', 'east', 'west'][Math.floor(random() * 4)]
      return `${at + 1},2026-03-${String((at % 28) + 1).padStart(2, '0')},${region},${Math.floor(random() * 9000)}`
    })
    project.write('data/orders.csv', `id,day,region,cents\n${rows.join('\n')}\n`)
    project.commit('Start')
  },
  turns: () => [
    read('data/orders.csv', 1, 5),
    run(
      'awk -F, \'NR > 1 { sum[$3] += $4 } END { for (name in sum) print name "," sum[name] }\' data/orders.csv | sort | tee data/regions.csv',
    ),
  ],
  check: (project) =>
    assert.match(project.read('data/regions.csv'), /^east,\d+\nnorth,\d+\nsouth,\d+\nwest,\d+\n$/),
}

const findSetting: Task = {
  name: 'find and change a setting',
  create(project) {
    writeShop(project)
    for (const name of ['cache', 'database', 'mail', 'queue', 'search', 'server', 'sessions', 'storage']) {
      const lines = [
        `# ${name}`,
        'enabled: true',
        `timeout_ms: ${name.length * 1000}`,
        'retries: 3',
        'log: info',
      ]
      project.write(`config/defaults/${name}.yaml`, `${lines.join('\n')}\n`)
      if (name < 'm') project.write(`config/production/${name}.yaml`, `timeout_ms: ${name.length * 2000}\n`)
    }
    project.commit('Start')
  },
  turns: () => [
    find('config/**/*.yaml'),
    [read('config/defaults/database.yaml'), read('config/production/database.yaml')],
    edit('config/production/database.yaml', {
      old: 'timeout_ms: 16000',
      new: 'timeout_ms: 20000\nretries: 5',
    }),
  ],
  check: (project) =>
    assert.equal(project.read('config/production/database.yaml'), 'timeout_ms: 20000\nretries: 5\n'),
}

const explore: Task = {
  name: 'get to know a project',
  create(project) {
    writeShop(project)
    for (const name of ['cart', 'orders', 'search', 'users', 'mail', 'server']) {
      const source = `/** The part for ${name}. */\n\nexport function open${name}(settings) {\n  return { name: '${name}', settings }\n}\n`
      project.write(`src/${name}.mjs`, source)
      project.write(`test/${name}.test.mjs`, `// Tests of ${name}.\n`)
    }
    project.write(
      'src/server.mjs',
      "import { createServer } from 'node:http'\n\ncreateServer().listen(process.env.PORT ?? 4170)\n",
    )
    project.commit('Start')
    project.git('tag', 'v1.4.0')
  },
  turns: () => [
    [find('*'), read('README.md'), read('package.json')],
    [run('git log --oneline -5 && git tag'), read('src/server.mjs')],
    write('NOTES.md', `Version ${found('version\\W+([\\d.]+)')}, port ${found('\\?\\? (\\d+)')}.\n`),
  ],
  check: (project) => assert.equal(project.read('NOTES.md'), 'Version 1.4.0, port 4170.\n'),
}

const longOutput: Task = {
  name: 'find the failure in 1,200 lines of test output',
  create(project) {
    writeShop(project)
    project.write(
      'test/tables.test.mjs',
      "import assert from 'node:assert/strict'\nimport test from 'node:test'\n\nimport { multiply } from '../src/tables.mjs'\n\nfor (let at = 0; at < 1200; at += 1) {\n  test(`multiplies ${at} by 3`, () => assert.equal(multiply(at, 3), at * 3))\n}\n",
    )
    project.write('src/tables.mjs', 'export const multiply = (a, b) => (a === 777 ? a + b : a * b)\n')
    project.commit('Start')
  },
  turns: () => [
    runFailing('npm test'),
    runFailing("npm test | grep -A 4 '^✖' | head -20"),
    read('src/tables.mjs'),
    edit('src/tables.mjs', { old: '(a === 777 ? a + b : a * b)', new: 'a * b' }),
    run('npm test | tail -8'),
  ],
  check: (project) => void project.run('npm', 'test'),
}

export const readingTasks: readonly Task[] = [readLog, readWhole, sumTable, findSetting, explore, longOutput]
