/** Changing code and running its tests. */

import assert from 'node:assert/strict'

import type { Project } from '../project.ts'
import { edit, grep, read, run, runFailing, write, type Task } from '../task.ts'
import { pricing, writeShop } from './shop.ts'

const passesTests = (project: Project): void => void project.run('npm', 'test')

const fixTest: Task = {
  name: 'fix a failing test',
  create(project) {
    writeShop(project)
    project.write('src/pricing.mjs', pricing.replace('quantity >= 10', 'quantity > 10'))
    project.commit('Add discounts')
  },
  turns: () => [
    runFailing('npm test'),
    [read('test/pricing.test.mjs'), read('src/pricing.mjs')],
    edit('src/pricing.mjs', { old: 'quantity > 10', new: 'quantity >= 10' }),
    run('npm test'),
  ],
  check: passesTests,
}

const pages = 24

const renameFunction: Task = {
  name: `rename a function in ${pages} files`,
  create(project) {
    writeShop(project)
    const format = 'export const fmtPrice = (cents) => `${(cents / 100).toFixed(2)} EUR`\n'
    project.write('src/format.mjs', format)
    for (let page = 1; page <= pages; page += 1) {
      const source = [
        "import { fmtPrice } from '../format.mjs'",
        '',
        `/** What is shown at the bottom of page ${page}. */`,
        `export const total${page} = (items) => fmtPrice(items.reduce((sum, { cents }) => sum + cents, ${page}))`,
      ]
      project.write(`src/pages/page-${page}.mjs`, `${source.join('\n')}\n`)
    }
    project.commit('Show totals')
  },
  turns: () => [
    grep('fmtPrice', 'src'),
    run("grep -rlw fmtPrice src | xargs sed -i 's/\\bfmtPrice\\b/formatPrice/g'"),
    run('node src/pages/page-3.mjs && npm test && git diff --stat | tail -1'),
  ],
  check(project) {
    assert.match(project.read('src/pages/page-24.mjs'), /formatPrice\(items/)
    assert.throws(() => project.run('grep', '-r', 'fmtPrice', 'src'))
  },
}

const addFunction: Task = {
  name: 'add a function with its test',
  create(project) {
    writeShop(project)
    project.commit('Start')
  },
  turns: () => [
    [read('src/pricing.mjs'), read('test/pricing.test.mjs')],
    edit('src/pricing.mjs', {
      old: 'export function withTax(',
      new: '/** What a customer pays to have it sent: nothing from 50 EUR on. */\nexport function shippingOf(cents) {\n  return cents >= 5000 ? 0 : 490\n}\n\nexport function withTax(',
    }),
    edit(
      'test/pricing.test.mjs',
      { old: 'import { priceOf, withTax }', new: 'import { priceOf, shippingOf, withTax }' },
      {
        old: "test('tax is added'",
        new: "test('shipping is free from 50 EUR on', () => {\n  assert.equal(shippingOf(4999), 490)\n  assert.equal(shippingOf(5000), 0)\n})\n\ntest('tax is added'",
      },
    ),
    run('npm test'),
  ],
  check(project) {
    passesTests(project)
    assert.match(project.read('test/pricing.test.mjs'), /shippingOf\(5000\)/)
  },
}

const moveFunction: Task = {
  name: 'move a function to its own file',
  create(project) {
    writeShop(project)
    project.commit('Start')
  },
  turns: () => [
    [read('src/pricing.mjs'), grep('percentOf|withTax', '.', '*.mjs')],
    [
      write(
        'src/tax.mjs',
        "import { percentOf } from './percent.mjs'\n\nexport function withTax(cents, rate = 19) {\n  return cents + percentOf(cents, rate)\n}\n",
      ),
      write(
        'src/percent.mjs',
        'export function percentOf(cents, percent) {\n  return Math.round((cents * percent) / 100)\n}\n',
      ),
    ],
    edit(
      'src/pricing.mjs',
      {
        old: '/** Prices in cents. */\n',
        new: "/** Prices in cents. */\n\nimport { percentOf } from './percent.mjs'\n",
      },
      {
        old: '\nfunction percentOf(cents, percent) {\n  return Math.round((cents * percent) / 100)\n}\n',
        new: '',
      },
      {
        old: '\nexport function withTax(cents, rate = 19) {\n  return cents + percentOf(cents, rate)\n}\n',
        new: '',
      },
    ),
    read('test/pricing.test.mjs', 1, 6),
    edit('test/pricing.test.mjs', {
      old: "import { priceOf, withTax } from '../src/pricing.mjs'",
      new: "import { priceOf } from '../src/pricing.mjs'\nimport { withTax } from '../src/tax.mjs'",
    }),
    run('npm test'),
  ],
  check(project) {
    passesTests(project)
    assert.doesNotMatch(project.read('src/pricing.mjs'), /withTax/)
    assert.match(project.read('src/tax.mjs'), /withTax/)
  },
}

const manyEdits: Task = {
  name: 'six edits in one file',
  create(project) {
    writeShop(project)
    project.commit('Start')
  },
  turns: () => [
    read('src/pricing.mjs'),
    edit(
      'src/pricing.mjs',
      { old: 'from: 10, percent: 5', new: 'from: 10, rate: 5' },
      { old: 'from: 50, percent: 12', new: 'from: 50, rate: 12' },
      { old: 'discounts[1].percent', new: 'discounts[1].rate' },
      { old: 'discounts[0].percent', new: 'discounts[0].rate' },
      { old: 'percentOf(cents, percent)', new: 'percentOf(cents, rate)' },
      { old: '(cents * percent)', new: '(cents * rate)' },
    ),
    run('npm test'),
  ],
  check(project) {
    passesTests(project)
    assert.doesNotMatch(project.read('src/pricing.mjs'), /percent\b/)
  },
}

/** Long, as generated tables and routers are. */
const handlers = 420

const largeFile: Task = {
  name: `change a file of ${(handlers * 6 + 4).toLocaleString('en')} lines`,
  create(project) {
    writeShop(project)
    const parts = Array.from(
      { length: handlers },
      (_, at) =>
        `/** Answers event ${at}. */\nexport function onEvent${at}(event, store) {\n  const amount = event.amount * ${at + 1}\n  return store.add('event-${at}', amount)\n}\n\n`,
    )
    project.write(
      'src/events.mjs',
      `/** What happens to the events of a day. */\n\n${parts.join('')}export const count = ${handlers}\n`,
    )
    project.commit('Start')
  },
  turns: () => [
    grep('event-317', 'src'),
    read('src/events.mjs', 1900, 12),
    edit('src/events.mjs', {
      old: "  return store.add('event-317', amount)",
      new: "  return amount === 0 ? undefined : store.add('event-317', amount)",
    }),
    run('node -e "import(\'./src/events.mjs\').then((all) => console.log(all.onEvent317({ amount: 0 })))"'),
  ],
  check: (project) => assert.match(project.read('src/events.mjs'), /undefined : store\.add\('event-317'/),
}

const removeModule: Task = {
  name: 'remove a module that nothing uses',
  create(project) {
    writeShop(project)
    project.write('src/legacy/coupons.mjs', 'export const couponOf = (code) => code.length\n')
    project.write('src/index.mjs', "export * from './pricing.mjs'\nexport * from './legacy/coupons.mjs'\n")
    project.write(
      'docs/modules.md',
      '# Modules\n\n- `pricing`: prices\n- `legacy/coupons`: codes of old campaigns\n',
    )
    project.commit('Start')
  },
  turns: () => [
    grep('coupon', '.'),
    [read('src/index.mjs'), read('docs/modules.md')],
    run('git rm -q -r src/legacy'),
    [
      edit('src/index.mjs', { old: "export * from './legacy/coupons.mjs'\n", new: '' }),
      edit('docs/modules.md', { old: '- `legacy/coupons`: codes of old campaigns\n', new: '' }),
    ],
    run('npm test && git status --short'),
  ],
  check(project) {
    assert.ok(!project.has('src/legacy'))
    for (const path of ['src/index.mjs', 'docs/modules.md'])
      assert.doesNotMatch(project.read(path), /coupons/)
  },
}

const windowsFile: Task = {
  name: 'edit a file with Windows line ends',
  create(project) {
    writeShop(project)
    const lines = [
      '[shop]',
      'name = Shop',
      'port = 4170',
      '',
      '[mail]',
      'host = mail.example.com',
      'port = 25',
    ]
    project.write('shop.ini', lines.map((line) => `${line}\r\n`).join(''))
    project.commit('Start')
  },
  turns: () => [
    read('shop.ini'),
    edit('shop.ini', {
      old: 'host = mail.example.com\nport = 25',
      new: 'host = smtp.example.com\nport = 587',
    }),
    run('git diff --stat'),
  ],
  check: (project) => {
    assert.match(project.read('shop.ini'), /smtp\.example\.com\r\nport = 587\r\n$/)
    assert.equal(project.git('diff', '--numstat'), '2\t2\tshop.ini')
  },
}

export const codeTasks: readonly Task[] = [
  fixTest,
  renameFunction,
  addFunction,
  moveFunction,
  manyEdits,
  largeFile,
  removeModule,
  windowsFile,
]
