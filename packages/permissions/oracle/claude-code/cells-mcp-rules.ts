/** All forms of rules for tools of a server, in every list, in settings and as a flag. */

import { calls, mcpJson, unpromised, type Scene } from './scene.ts'

interface Form {
  readonly server: string
  readonly rule: string
}

/** `probe` is replaced by a different server for each form, so that all forms fit into one run. */
const forms: readonly Form[] = [
  ...[
    'mcp__probe',
    'mcp__probe__*',
    'mcp__probe__**',
    'mcp__probe__load_context',
    'mcp__probe__load_*',
    'mcp__probe__load*',
    'mcp__probe__*_more',
    'mcp__probe__*more*',
    'mcp__probe__l*t',
    'mcp__probe__load_context(*)',
    'mcp__probe__load_context()',
    'mcp__probe__load_context(key:x)',
    'mcp__probe__load_context(',
    'mcp__probe(*)',
    'mcp__probe__*(*)',
    'mcp__probe*',
    'mcp__*probe__load_more',
    'mcp__probe__',
    'mcp__Probe',
    'mcp__probe__Load_more',
    'mcp__probe__load_mor?',
    'mcp__probe__[l]oad_more',
    ' mcp__probe__load_more',
    'mcp__probe__load_more ',
    'mcp__probe:*',
    'mcp__probe_load_more',
    'mcp_probe',
    'probe',
    'probe:load_more',
  ].map((rule) => ({ server: 'probe', rule })),
  { server: 'my.probe', rule: 'mcp__my_probe' },
  { server: 'my.probe', rule: 'mcp__my.probe' },
  { server: 'my.probe', rule: 'mcp__my.probe__*' },
  { server: 'da-probe', rule: 'mcp__da-probe' },
  { server: 'da-probe', rule: 'mcp__da_probe' },
].map(({ server, rule }, at) => {
  const own = `probe${String(at).padStart(2, '0')}`
  return {
    server: server.replace('probe', own),
    rule: rule.replace(/probe/i, (word) => own.replace('probe', word)),
  }
})

const tools = ['load_context', 'load_more']
const probesOf = (server: string): Scene['probes'] =>
  tools.map((tool) => calls(`mcp__${server.replace('.', '_')}__${tool}`))
const wholeServer = (server: string): string => `mcp__${server.replace('.', '_')}`

const user = (permissions: Record<string, string[]>): Scene['files'] => ({
  'home/.claude/settings.json': { permissions },
})

type Listed = Pick<Scene, 'name' | 'files' | 'cliAllow' | 'cliDeny'>

/** Every list that a rule can be in, with the other rules needed to observe its effect. */
function lists(rules: string[], everything: string[]): Listed[] {
  return [
    { name: 'settings allow', files: user({ allow: rules }) },
    { name: 'settings ask', files: user({ allow: everything, ask: rules }) },
    { name: 'settings deny', files: user({ allow: everything, deny: rules }) },
    { name: 'a flag allows', files: {}, cliAllow: rules },
    { name: 'a flag denies', files: user({ allow: everything }), cliDeny: rules },
  ]
}

const isPromised = (rule: string): boolean => /^mcp__\w+(__(\*|\w+))?$/.test(rule)
const doubtOf = (rule: string): string | undefined =>
  isPromised(rule) ? undefined : `the spelling ${JSON.stringify(rule)}`

const withEachForm = (listed: Listed): Scene => ({
  ...listed,
  name: `${listed.name} tools of servers, spelt in all ways`,
  files: {
    ...listed.files,
    'project/.mcp.json': mcpJson(Object.fromEntries(forms.map(({ server }) => [server, tools]))),
  },
  probes: forms.flatMap(({ server, rule }) =>
    probesOf(server).map((probe) => unpromised(probe, doubtOf(rule))),
  ),
})
const rules = forms.map(({ rule }) => rule)
const servers = forms.map(({ server }) => wholeServer(server))

/** These would match everything. */
const everywhere = ['*', 'm*', 'mcp__*', 'mcp__*__load_more'].flatMap((rule) => {
  const inList = (listed: Listed): Scene => ({
    ...listed,
    name: `${listed.name} ${rule}`,
    files: { ...listed.files, 'project/.mcp.json': mcpJson({ one: tools, two: tools }) },
    probes: ['one', 'two'].flatMap(probesOf),
    undocumented: doubtOf(rule),
  })
  return lists([rule], ['mcp__one', 'mcp__two'])
    .filter(({ name }) => name.startsWith('settings') || rule === '*' || rule === 'mcp__*')
    .map(inList)
})

export const mcpRuleScenes: readonly Scene[] = [...lists(rules, servers).map(withEachForm), ...everywhere]
