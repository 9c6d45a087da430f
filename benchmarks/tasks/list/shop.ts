/** A small shop, the project of several tasks. */

import type { Project } from '../project.ts'

export const pricing = `/** Prices in cents. */

const discounts = [
  { from: 10, percent: 5 },
  { from: 50, percent: 12 },
]

/** What a customer pays for a number of items of one kind. */
export function priceOf(cents, quantity) {
  const total = cents * quantity
  if (quantity >= 50) return total - percentOf(total, discounts[1].percent)
  if (quantity >= 10) return total - percentOf(total, discounts[0].percent)
  return total
}

function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100)
}

export function withTax(cents, rate = 19) {
  return cents + percentOf(cents, rate)
}
`

const pricingTest = `import assert from 'node:assert/strict'
import test from 'node:test'

import { priceOf, withTax } from '../src/pricing.mjs'

test('a single item has no discount', () => {
  assert.equal(priceOf(199, 1), 199)
})

test('ten items have 5 percent', () => {
  assert.equal(priceOf(1000, 10), 9500)
})

test('fifty items have 12 percent', () => {
  assert.equal(priceOf(1000, 50), 44000)
})

test('tax is added', () => {
  assert.equal(withTax(1000), 1190)
})
`

/** Otherwise npm prints that a newer one exists, where it can reach its registry. */
export const npmSettings = 'update-notifier=false\nfund=false\naudit=false\n'

const files: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "shop",
  "version": "1.4.0",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node src/server.mjs",
    "test": "node --test --test-reporter=spec test/*.test.mjs"
  }
}
`,
  'README.md': `# Shop

A small shop. \`npm start\` serves it on port 4170, \`npm test\` runs the tests.

- \`src/\`: the code
- \`test/\`: its tests
`,
  '.gitignore': 'node_modules/\n.venv/\n__pycache__/\n',
  '.npmrc': npmSettings,
  'src/pricing.mjs': pricing,
  'test/pricing.test.mjs': pricingTest,
}

export function writeShop(project: Project): void {
  for (const [path, content] of Object.entries(files)) project.write(path, content)
}
