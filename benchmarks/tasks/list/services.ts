/** Servers: those that a model starts, and those that run on the user's machine. */

import assert from 'node:assert/strict'

import { edit, output, read, run, runFailing, start, stop, type Task } from '../task.ts'
import { installed, openRegistry, openService } from './registry.ts'
import { npmSettings, writeShop } from './shop.ts'

const devPort = 4170
const serverSource = `import { createServer } from 'node:http'

const port = Number(process.env.PORT ?? ${devPort})

createServer((request, response) => {
  console.log(request.method, request.url)
  if (request.url === '/') response.end('shop\\n')
  else response.writeHead(404).end()
}).listen(port, '127.0.0.1', () => console.log('listening on port', port))
`

const devServer: Task = {
  name: 'run a server and ask it',
  needs: 'curl --version',
  create(project) {
    writeShop(project)
    project.write('src/server.mjs', serverSource)
    project.commit('Start')
  },
  turns: () => [
    read('src/server.mjs'),
    edit('src/server.mjs', {
      old: '  else response.writeHead(404).end()',
      new: "  else if (request.url === '/health') response.end('ok\\n')\n  else response.writeHead(404).end()",
    }),
    // In one command: what runs in the background of a sandbox is not reachable from the next one.
    run(
      `node src/server.mjs & server=$!; curl -s --retry 9 --retry-connrefused http://127.0.0.1:${devPort}/health | tee health.txt; kill $server; wait`,
    ),
  ],
  check: (project) => assert.equal(project.read('health.txt'), 'ok\n'),
}

const watchBuild: Task = {
  name: 'change code while a build watches it',
  create(project) {
    writeShop(project)
    const build =
      "writeFileSync('dist/pricing.mjs', readFileSync('src/pricing.mjs', 'utf8').replace(/\\/\\*\\*.*\\*\\/\\n/g, ''))"
    const source = [
      "import { mkdirSync, readFileSync, writeFileSync, watchFile } from 'node:fs'",
      '',
      "mkdirSync('dist', { recursive: true })",
      `const build = () => (${build}, console.log('built src/pricing.mjs'))`,
      'build()',
      "watchFile('src/pricing.mjs', { interval: 100 }, build)",
    ]
    project.write('scripts/watch.mjs', `${source.join('\n')}\n`)
    project.commit('Start')
  },
  turns: () => [
    start('node scripts/watch.mjs'),
    read('src/pricing.mjs'),
    edit('src/pricing.mjs', { old: 'rate = 19', new: 'rate = 20' }),
    run('until grep -q "rate = 20" dist/pricing.mjs; do sleep 0.1; done; grep -n rate dist/pricing.mjs'),
    output,
    stop,
  ],
  check: (project) => assert.match(project.read('dist/pricing.mjs'), /rate = 20/),
}

const askService: Task = {
  name: "ask a service of the user's machine",
  needs: 'curl --version',
  service: () =>
    openService(({ url }, response) => {
      const stock = Array.from({ length: 20 }, (_, at) => ({
        id: at + 1,
        name: `tea ${at + 1}`,
        left: (at * 7) % 20,
      }))
      response.end(url === '/stock' ? `${JSON.stringify(stock)}\n` : 'unknown\n')
    }),
  create(project) {
    writeShop(project)
    project.commit('Start')
  },
  turns: (_, port) => [
    run(`curl -s http://127.0.0.1:${port}/stock | head -c 300`),
    run(
      `curl -s http://127.0.0.1:${port}/stock | node -e "let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () => console.log(JSON.parse(text).filter(({ left }) => left === 0).map(({ name }) => name).join()))" | tee sold-out.txt`,
    ),
  ],
  check: (project) => assert.equal(project.read('sold-out.txt'), 'tea 1\n'),
}

const bumpDependency: Task = {
  name: 'bump a dependency',
  service: openRegistry,
  create(project, port) {
    writeShop(project)
    project.write('.npmrc', `registry=http://127.0.0.1:${port}/\n${npmSettings}`)
    project.write(
      'src/money.mjs',
      "import { format } from 'tiny-money'\n\nexport const shown = (cents) => format(cents)\n",
    )
    project.write(
      'test/money.test.mjs',
      "import assert from 'node:assert/strict'\nimport test from 'node:test'\n\nimport { shown } from '../src/money.mjs'\n\ntest('money', () => assert.equal(shown(250), '2.50 EUR'))\n",
    )
    for (const [path, content] of installed(port)) project.write(path, content)
    project.commit('Start')
  },
  turns: () => [
    run('npm outdated || npm view tiny-money versions'),
    runFailing('npm install tiny-money@2.0.0 && npm test'),
    [read('src/money.mjs'), read('node_modules/tiny-money/README.md')],
    edit('src/money.mjs', { old: 'format(cents)', new: "format({ cents, currency: 'EUR' })" }),
    run('npm test && git diff --stat'),
  ],
  check(project) {
    project.run('npm', 'test')
    assert.match(project.read('package.json'), /"tiny-money": "\^2\.0\.0"/)
    assert.match(project.read('package-lock.json'), /tiny-money-2\.0\.0\.tgz/)
  },
}

export const serviceTasks: readonly Task[] = [devServer, watchBuild, askService, bumpDependency]
