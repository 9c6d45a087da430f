import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
  folders.trust()
})
afterEach(() => folders.remove())

const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'guard' }] }] }

/** A plugin with something of everything. */
function kit(folder: string, name: string): Record<string, string | object> {
  return {
    [`${folder}/.claude-plugin/plugin.json`]: { name },
    [`${folder}/.mcp.json`]: { ctx: { command: name } },
    [`${folder}/hooks/hooks.json`]: { hooks },
    [`${folder}/agents/scan.md`]: '---\nname: scan\n---\nbody',
    [`${folder}/skills/in/SKILL.md`]: 'body',
  }
}

const [ofProject, ofPerson] = ['project/.claude/skills/kit', 'home/.claude/skills/kit']
const both = { ...kit(ofProject, 'own'), ...kit(ofPerson, 'mine') }
const ids = (): string[] => folders.read().plugins.map(({ id }) => id)

describe('plugins among the skills', () => {
  it('bring servers, hooks, agents and skills', () => {
    folders.write(kit(ofProject, 'own'))
    const { plugins, servers, hooks: asked, agents, skills, missingPlugins } = folders.read()
    const file = join(folders.path, ofProject, '.claude-plugin', 'plugin.json')
    expect(plugins).toMatchObject([{ id: 'own@skills-dir', name: 'own', file, line: 1 }])
    expect(servers).toMatchObject([{ prefix: 'mcp__plugin_own_ctx', owner: 'own' }])
    expect(asked).toMatchObject([{ source: 'plugin', owner: 'own' }])
    expect(agents).toMatchObject([{ name: 'own:scan' }])
    expect(skills).toMatchObject([{ name: 'own:in' }])
    expect(missingPlugins).toEqual([])
  })

  it('are skills too where they have the file of one, and only under their own name', () => {
    folders.write({
      [`${ofProject}/.claude-plugin/plugin.json`]: { name: 'own' },
      [`${ofProject}/SKILL.md`]: 'body',
    })
    expect(folders.read().skills.map(({ name }) => name)).toEqual(['kit'])
  })

  it('are missed where their manifest is empty or leads nowhere', () => {
    const manifest = `${ofProject}/.claude-plugin/plugin.json`
    const said = (): string[] => folders.read().problems.map(({ file, message }) => `${file} ${message}`)
    folders.write({ [manifest]: ' \n' })
    expect(ids()).toEqual([])
    expect(said()).toEqual([expect.stringMatching(/plugin\.json The file is empty/)])
    rmSync(join(folders.path, manifest))
    expect([ids(), said()]).toEqual([[], []])
    for (const target of ['nowhere', 'plugin.json']) {
      symlinkSync(target, join(folders.path, manifest))
      expect(ids()).toEqual([])
      expect(said()).toEqual([expect.stringMatching(/plugin\.json The file is a link to nothing/)])
      rmSync(join(folders.path, manifest))
    }
    folders.write({ [manifest]: { name: 'own' } })
    expect([ids(), said()]).toEqual([['own@skills-dir'], []])
  })

  it('of the project count once it is accepted, those of the user always', () => {
    folders.write(both)
    expect(ids()).toEqual(['mine@skills-dir', 'own@skills-dir'])
    folders.write({ 'home/.claude.json': {} })
    expect(ids()).toEqual(['mine@skills-dir'])
  })

  it('give way to installed ones and to those the client is started with', () => {
    folders.write({ ...kit(ofProject, 'own'), ...kit('plugins/own', 'own') })
    const { plugins } = folders.read({ pluginFolders: [join(folders.path, 'plugins', 'own')] })
    expect(plugins.map(({ id }) => id)).toEqual(['own@inline'])
  })

  it('of the user come before those of the project', () => {
    folders.write({ ...kit(ofProject, 'same'), ...kit(ofPerson, 'same') })
    expect(folders.read().plugins.map(({ folder }) => folders.short(folder))).toEqual([ofPerson])
  })

  it.each([
    ['own@skills-dir', ['mine@skills-dir']],
    ['kit@skills-dir', ['mine@skills-dir', 'own@skills-dir']],
  ])('are switched off by their ids (%s)', (id, left) => {
    folders.write({ ...both, 'home/.claude/settings.json': { enabledPlugins: { [id]: false } } })
    expect(ids()).toEqual(left)
  })

  it.each([
    { strictKnownMarketplaces: [] },
    { blockedMarketplaces: [{ source: 'skills-dir' }] },
    { strictPluginOnlyCustomization: true },
    { strictPluginOnlyCustomization: ['mcp'] },
    { enabledPlugins: { 'own@market': true, 'Mine@market': false } },
  ])('are kept out by the administrator: %j', (settings) => {
    folders.write({ ...both, 'managed/managed-settings.json': settings })
    expect(ids()).toEqual([])
  })

  it.each([
    { strictKnownMarketplaces: [{ source: 'skills-dir' }] },
    { blockedMarketplaces: [{ source: 'npm' }] },
    { strictPluginOnlyCustomization: false },
    { enabledPlugins: { 'other@market': false } },
  ])('are let in by the administrator: %j', (settings) => {
    folders.write({ ...both, 'managed/managed-settings.json': settings })
    expect(ids()).toEqual(['mine@skills-dir', 'own@skills-dir'])
  })

  it('behind a link out of the project start no servers', () => {
    folders.write({ ...kit('outside/kit', 'out'), ...kit('project/inside/kit', 'in') })
    folders.link({
      'project/.claude/skills/a': join(folders.path, 'outside', 'kit'),
      'project/.claude/skills/b': join(folders.path, 'project', 'inside', 'kit'),
    })
    const { servers, agents } = folders.read()
    expect(agents.map(({ name }) => name)).toEqual(['out:scan', 'in:scan'])
    expect(servers.map(({ owner }) => owner)).toEqual(['in'])
  })
})
