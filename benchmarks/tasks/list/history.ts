/** Work with git. */

import assert from 'node:assert/strict'

import type { Project } from '../project.ts'
import { found } from '../../../test/clients/scripted-model.ts'
import { edit, read, run, runFailing, write, type Task } from '../task.ts'
import { pricing, writeShop } from './shop.ts'

function startShop(project: Project): void {
  writeShop(project)
  project.commit('Start')
}

function commitPricing(project: Project, message: string, ...[from, to]: [string, string]): void {
  const text = project.read('src/pricing.mjs')
  assert.ok(text.includes(from))
  project.write('src/pricing.mjs', text.replace(from, to))
  project.commit(message)
}

const isClean = (project: Project): void => assert.equal(project.git('status', '--porcelain'), '')

const resolveMerge: Task = {
  name: 'resolve a merge',
  create(project) {
    startShop(project)
    project.git('checkout', '--quiet', '-b', 'rates')
    commitPricing(project, 'Give 6 percent from 10 items on', 'percent: 5 }', 'percent: 6 }')
    project.git('checkout', '--quiet', 'main')
    commitPricing(
      project,
      'Give discounts from 12 items on',
      '{ from: 10, percent: 5 }',
      '{ from: 12, percent: 5 }',
    )
  },
  turns: () => [
    runFailing('git merge rates'),
    read('src/pricing.mjs', 1, 16),
    edit('src/pricing.mjs', {
      old: '<<<<<<< HEAD\n  { from: 12, percent: 5 },\n=======\n  { from: 10, percent: 6 },\n>>>>>>> rates\n',
      new: '  { from: 12, percent: 6 },\n',
    }),
    run('git commit -qam "Merge the new rates" && git log --oneline -4'),
  ],
  check(project) {
    assert.match(project.read('src/pricing.mjs'), /\[\n  \{ from: 12, percent: 6 \},\n/)
    assert.equal(project.git('log', '-1', '--format=%s'), 'Merge the new rates')
    isClean(project)
  },
}

const commitWork: Task = {
  name: 'commit work in two parts',
  create(project) {
    startShop(project)
    project.write('README.md', project.read('README.md').replace('A small shop.', 'A small shop for tea.'))
    project.write('src/pricing.mjs', pricing.replace('rate = 19', 'rate = 20'))
    project.write('src/tea.mjs', "export const kinds = ['green', 'black', 'white']\n")
  },
  turns: () => [
    run('git status --short && git diff'),
    run('git add README.md src/tea.mjs && git commit -qm "Sell tea"'),
    run('git commit -qam "Raise the tax to 20 percent" && git log --stat --oneline -2'),
  ],
  check(project) {
    assert.equal(
      project.git('log', '--format=%s %an'),
      'Raise the tax to 20 percent Anna Berg\nSell tea Anna Berg\nStart Anna Berg',
    )
    isClean(project)
  },
}

const revertCommit: Task = {
  name: 'revert a commit',
  create(project) {
    startShop(project)
    commitPricing(project, 'Round down', 'Math.round(', 'Math.floor(')
    project.write('CHANGELOG.md', '# Changes\n')
    project.commit('Begin a list of changes')
  },
  turns: () => [
    run('git log --oneline -3 && git log -p -1 --format=%h -- src/pricing.mjs'),
    run(`git revert --no-edit ${found('([0-9a-f]{7}) Round down')} && npm test`),
  ],
  check(project) {
    assert.equal(project.git('log', '-1', '--format=%s'), 'Revert "Round down"')
    assert.match(project.read('src/pricing.mjs'), /Math\.round/)
  },
}

const bisect: Task = {
  name: 'find the commit that broke a test',
  create(project) {
    startShop(project)
    for (let at = 1; at <= 12; at += 1) {
      project.write(`src/part-${at}.mjs`, `export const part = ${at}\n`)
      if (at === 8)
        commitPricing(
          project,
          `Add part ${at}`,
          'total - percentOf(total, discounts[0]',
          'total + percentOf(total, discounts[0]',
        )
      else project.commit(`Add part ${at}`)
    }
  },
  turns: () => [
    run('git bisect start HEAD HEAD~12 && git bisect run npm test | tail -25; git bisect reset'),
    write('broken-by.txt', `${found('is the first bad commit[^]*?(Add part \\d+)')}\n`),
  ],
  check(project) {
    assert.equal(project.read('broken-by.txt'), 'Add part 8\n')
    assert.equal(project.git('branch', '--show-current'), 'main')
  },
}

const changeLog: Task = {
  name: 'write the changes since a release',
  create(project) {
    startShop(project)
    project.write('CHANGELOG.md', '# Changes\n\n## 1.4.0\n\n- Discounts\n')
    project.commit('Release 1.4.0')
    project.git('tag', 'v1.4.0')
    for (const name of ['Search', 'Gift cards', 'Returns']) {
      project.write(`src/${name.toLowerCase().replace(' ', '-')}.mjs`, `export const name = '${name}'\n`)
      project.commit(`Add ${name.toLowerCase()}`)
    }
  },
  turns: () => [
    [run('git log --oneline v1.4.0..'), read('CHANGELOG.md'), read('package.json')],
    [
      edit('CHANGELOG.md', {
        old: '# Changes\n',
        new: '# Changes\n\n## 1.5.0\n\n- Search\n- Gift cards\n- Returns\n',
      }),
      edit('package.json', { old: '"version": "1.4.0"', new: '"version": "1.5.0"' }),
    ],
    run('git commit -qam "Release 1.5.0" && git tag v1.5.0 && git show --stat --oneline'),
  ],
  check(project) {
    assert.match(project.git('show', 'v1.5.0:CHANGELOG.md'), /- Gift cards/)
    assert.match(project.git('show', 'v1.5.0:package.json'), /1\.5\.0/)
  },
}

const rebase: Task = {
  name: 'rebase a branch with a conflict',
  create(project) {
    startShop(project)
    project.git('checkout', '--quiet', '-b', 'work')
    project.write('src/cart.mjs', 'export const cart = []\n')
    project.commit('Add a cart')
    commitPricing(project, 'Use the reduced tax', 'rate = 19', 'rate = 7')
    project.git('checkout', '--quiet', 'main')
    commitPricing(project, 'Name the tax', 'withTax(cents, rate = 19)', 'withTax(cents, taxRate = 19)')
    project.git('checkout', '--quiet', 'work')
  },
  turns: () => [
    runFailing('git rebase main'),
    [run('git diff'), read('src/pricing.mjs', 18)],
    edit('src/pricing.mjs', {
      old: `<<<<<<< HEAD\nexport function withTax(cents, taxRate = 19) {\n=======\nexport function withTax(cents, rate = 7) {\n>>>>>>> ${found('([0-9a-f]{7} \\(Use the reduced tax\\))')}\n`,
      new: 'export function withTax(cents, rate = 7) {\n',
    }),
    run('git add -u && GIT_EDITOR=true git rebase --continue && git log --oneline'),
  ],
  check(project) {
    assert.equal(project.git('log', '--format=%s'), 'Use the reduced tax\nAdd a cart\nName the tax\nStart')
    assert.match(project.read('src/pricing.mjs'), /\nexport function withTax\(cents, rate = 7\)/)
    isClean(project)
  },
}

export const historyTasks: readonly Task[] = [
  resolveMerge,
  commitWork,
  revertCommit,
  bisect,
  changeLog,
  rebase,
]
