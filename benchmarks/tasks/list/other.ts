/** Monorepos, other languages, data and credentials. */

import assert from 'node:assert/strict'

import { makeZip } from '@contextd/shared/testing/archives'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { found } from '../../../test/clients/scripted-model.ts'
import { edit, find, read, run, runFailing, write, type Task } from '../task.ts'
import { npmSettings, writeShop } from './shop.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const monorepo: Task = {
  name: 'work in a package of a monorepo',
  create(project) {
    project.write('package.json', json({ name: 'all', private: true, workspaces: ['packages/*'] }))
    project.write('.gitignore', 'node_modules/\n')
    project.write('.npmrc', npmSettings)
    for (const name of ['api', 'core', 'mail', 'web']) {
      const test = 'node --test --test-reporter=spec'
      project.write(
        `packages/${name}/package.json`,
        json({
          name: `@all/${name}`,
          version: '1.0.0',
          type: 'module',
          exports: './index.mjs',
          scripts: { test },
        }),
      )
      project.write(`packages/${name}/index.mjs`, `export const name = '${name}'\n`)
    }
    project.write('packages/core/index.mjs', 'export const slugOf = (title) => title.toLowerCase()\n')
    project.write(
      'packages/api/index.mjs',
      "import { slugOf } from '@all/core'\n\nexport const pathOf = ({ title }) => `/items/${slugOf(title)}`\n",
    )
    project.write(
      'packages/api/api.test.mjs',
      "import assert from 'node:assert/strict'\nimport test from 'node:test'\n\nimport { pathOf } from '@all/api'\n\ntest('paths', () => assert.equal(pathOf({ title: 'Green Tea' }), '/items/green-tea'))\n",
    )
    for (const name of ['api', 'core', 'mail', 'web']) {
      project.run('mkdir', '-p', 'node_modules/@all')
      project.run('ln', '-s', `../../packages/${name}`, `node_modules/@all/${name}`)
    }
    project.commit('Start')
  },
  turns: () => [
    find('packages/*/package.json'),
    runFailing('npm test -w packages/api'),
    [read('packages/api/index.mjs'), read('packages/core/index.mjs')],
    edit('packages/core/index.mjs', {
      old: 'title.toLowerCase()',
      new: "title.toLowerCase().replaceAll(' ', '-')",
    }),
    run('cd packages/api && npm test'),
  ],
  check: (project) => void project.run('npm', 'test', '-w', 'packages/api'),
}

/** A built distribution, so that nothing has to be built. */
const wheel = makeZip([
  { name: 'textkit/__init__.py', content: 'def title(text):\n    return text.strip().title()\n' },
  { name: 'textkit-1.0.dist-info/METADATA', content: 'Metadata-Version: 2.1\nName: textkit\nVersion: 1.0\n' },
  {
    name: 'textkit-1.0.dist-info/WHEEL',
    content: 'Wheel-Version: 1.0\nGenerator: task\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  },
  {
    name: 'textkit-1.0.dist-info/RECORD',
    content:
      'textkit/__init__.py,,\ntextkit-1.0.dist-info/METADATA,,\ntextkit-1.0.dist-info/WHEEL,,\ntextkit-1.0.dist-info/RECORD,,\n',
  },
])

const pythonVenv: Task = {
  name: 'a Python environment with a local package',
  needs: 'python3 -c "import ensurepip, venv"',
  create(project) {
    project.write('.gitignore', '.venv/\n__pycache__/\n')
    project.write('vendor/textkit-1.0-py3-none-any.whl', wheel)
    project.write(
      'report.py',
      "import csv\nimport textkit\n\nwith open('names.csv') as file:\n    for row in csv.reader(file):\n        print(textkit.title(row[0]))\n",
    )
    project.write('names.csv', 'anna berg\nbo lind\n')
    project.commit('Start')
  },
  turns: () => [
    [find('*'), read('report.py')],
    run(
      'python3 -m venv .venv && .venv/bin/pip install -q --no-index --disable-pip-version-check vendor/*.whl',
    ),
    run('.venv/bin/python report.py | tee report.txt'),
  ],
  check: (project) => assert.equal(project.read('report.txt'), 'Anna Berg\nBo Lind\n'),
}

const pythonTest: Task = {
  name: 'fix a Python test',
  needs: 'python3 --version',
  create(project) {
    project.write('.gitignore', '__pycache__/\n')
    project.write('stock/__init__.py', '')
    project.write(
      'stock/levels.py',
      'def low(levels, limit=5):\n    """Names of what is to be ordered."""\n    return sorted(name for name, left in levels.items() if left < limit)\n',
    )
    project.write(
      'tests/test_levels.py',
      "import unittest\n\nfrom stock.levels import low\n\n\nclass LowTest(unittest.TestCase):\n    def test_limit_is_included(self):\n        self.assertEqual(low({'green': 5, 'black': 9, 'white': 0}), ['green', 'white'])\n\n\nif __name__ == '__main__':\n    unittest.main()\n",
    )
    project.commit('Start')
  },
  turns: () => [
    runFailing('python3 -m unittest discover tests'),
    [read('stock/levels.py'), read('tests/test_levels.py')],
    edit('stock/levels.py', { old: 'left < limit', new: 'left <= limit' }),
    run('python3 -m unittest discover tests'),
  ],
  check: (project) => void project.run('python3', '-m', 'unittest', 'discover', 'tests'),
}

const compileC: Task = {
  name: 'fix what a C compiler refuses',
  needs: 'make --version && cc --version',
  create(project) {
    project.write(
      'Makefile',
      'CFLAGS = -Wall -Werror\n\nsum: sum.c\n\t$(CC) $(CFLAGS) -o $@ $<\n\ncheck: sum\n\t./sum 1 2 3\n',
    )
    project.write('.gitignore', 'sum\n')
    project.write(
      'sum.c',
      '#include <stdio.h>\n\nint main(int argc, char **argv) {\n  int sum = 0;\n  for (int at = 1; at < argc; at++) sum += atoi(argv[at]);\n  int unused;\n  printf("%d\\n", sum);\n  return 0;\n}\n',
    )
    project.commit('Start')
  },
  turns: () => [
    runFailing('make check'),
    read('sum.c'),
    edit(
      'sum.c',
      { old: '#include <stdio.h>\n', new: '#include <stdio.h>\n#include <stdlib.h>\n' },
      { old: '  int unused;\n', new: '' },
    ),
    run('make check'),
  ],
  check: (project) => assert.match(project.run('make', 'check'), /^6$/m),
}

const migrateData: Task = {
  name: 'convert data with a script',
  create(project) {
    writeShop(project)
    for (let year = 2021; year <= 2026; year += 1) {
      const rows = Array.from({ length: 40 }, (_, at) => ({
        id: `${year}-${at}`,
        total: `${at},50`,
        paid: at % 3 === 0,
      }))
      project.write(`data/orders-${year}.json`, json(rows))
    }
    project.commit('Start')
  },
  turns: () => [
    [find('data/*.json'), read('data/orders-2021.json', 1, 11)],
    write(
      'convert.mjs',
      "import { readdirSync, readFileSync, writeFileSync } from 'node:fs'\n\nfor (const name of readdirSync('data')) {\n  const rows = JSON.parse(readFileSync(`data/${name}`, 'utf8'))\n  const converted = rows.map(({ total, ...rest }) => ({ ...rest, cents: Math.round(Number(total.replace(',', '.')) * 100) }))\n  writeFileSync(`data/${name}`, `${JSON.stringify(converted, null, 2)}\\n`)\n}\n",
    ),
    run('node convert.mjs && rm convert.mjs && git diff --stat && head -6 data/orders-2026.json'),
  ],
  check(project) {
    assert.deepEqual((JSON.parse(project.read('data/orders-2024.json')) as unknown[])[3], {
      id: '2024-3',
      paid: true,
      cents: 350,
    })
    assert.ok(!project.has('convert.mjs'))
  },
}

const random = seededRandom(91)
const [token, password] = ['ghp_{alnum:36}', '{alnum:24}'].map(
  (recipe) => makeSample(recipe, random).text,
) as [string, string]

const credentials: Task = {
  name: 'edit a fixture with credentials',
  secrets: [token, password],
  create(project) {
    writeShop(project)
    project.write(
      'test/fixtures/account.env',
      `ACCOUNT=anna\nGITHUB_TOKEN=${token}\nDB_PASSWORD=${password}\nDB_HOST=localhost\n`,
    )
    project.commit('Start')
  },
  turns: () => [
    read('test/fixtures/account.env'),
    edit(
      'test/fixtures/account.env',
      // What the model has seen, it writes.
      {
        old: `GITHUB_TOKEN=${found('GITHUB_TOKEN=(\\[\\w+\\]|\\w+)')}`,
        new: `GH_TOKEN=${found('GITHUB_TOKEN=(\\[\\w+\\]|\\w+)')}`,
      },
      { old: 'DB_HOST=localhost', new: 'DB_HOST=db.example.com' },
    ),
    run('git diff --stat && grep -c TOKEN test/fixtures/account.env'),
  ],
  check: (project) =>
    assert.equal(
      project.read('test/fixtures/account.env'),
      `ACCOUNT=anna\nGH_TOKEN=${token}\nDB_PASSWORD=${password}\nDB_HOST=db.example.com\n`,
    ),
}

export const otherTasks: readonly Task[] = [
  monorepo,
  pythonVenv,
  pythonTest,
  compileC,
  migrateData,
  credentials,
]
