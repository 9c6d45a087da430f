/** The commands of `ctxd` by what people want to do, in the order of `--help`. Only data: programs that start fast read it. */

import { nearest } from '@contextd/shared/text/nearest'

export const commandGroups = {
  'Get started': {
    init: 'set up a project so that its agents work through contextd',
    start: 'start the daemon in the background',
    stop: 'stop the daemon',
    status: 'print the status, as does ctxd without a command',
    doctor: 'check this machine and suggest fixes',
    demo: 'one-minute demo in a temporary folder',
  },
  'Rules and agents': {
    rules: 'check, explain, test and change the rules',
    agents: 'list agents and manage their tokens',
    permissions: 'explain and check the permission files of agent clients',
    trust: "trust a project's configuration files",
  },
  Secrets: {
    scan: 'find secrets in files, folders and commits',
    scrub: 'replace secrets in text with tokens',
    secret: 'manage known secrets',
    detect: 'inspect and test secret detection',
    context: 'manage private context files for agents',
  },
  'Servers, tools and models': {
    upstream: 'manage MCP servers behind the gateway',
    tool: 'create, install and approve tools',
    model: 'the model door: its address, providers and keys',
  },
  'Memory and search': {
    memory: 'add, search, edit, export and import memories',
    checkpoint: 'list and restore session checkpoints',
    index: 'index a repository for search',
    query: 'search a repository',
  },
  'Look at what agents do': {
    audit: 'read and verify the audit log',
    usage: 'report model tokens used by day, session, agent or model',
    branch: 'inspect subtasks that agents opened',
    background: 'list background commands of agents',
  },
  Administration: {
    config: 'read and change the configuration',
    server: 'inspect, start and stop the daemon',
    serve: 'run the daemon in the foreground',
    caches: 'list and clear caches of sandboxed commands',
    tls: 'manage certificates for callers on other machines',
    webhooks: 'send events to other programs',
    completion: 'print shell completion scripts',
  },
  'For the configuration of clients': {
    mcp: 'serve MCP to one client',
    hook: 'answer a client hook, with its payload on stdin',
    door: "print the model door's address; start the daemon if needed",
  },
} as const satisfies Record<string, Record<string, string>>

type NamesIn<Groups> = Groups extends unknown ? keyof Groups : never
export type CommandName = NamesIn<(typeof commandGroups)[keyof typeof commandGroups]>

export const commandNames: readonly string[] = Object.values(commandGroups).flatMap((group) =>
  Object.keys(group),
)

/** What people type who know other programs, and what they mean here. */
export const commandsOfOthers: Readonly<Record<string, string>> = {
  up: 'start',
  run: 'start',
  launch: 'start',
  daemon: 'start',
  down: 'stop',
  kill: 'stop',
  restart: 'stop && ctxd start',
  ps: 'status',
  list: 'status',
  info: 'status',
  setup: 'init',
  install: 'init',
  uninstall: 'init --undo',
  check: 'doctor',
  log: 'audit tail',
  logs: 'audit tail',
  history: 'audit query',
  login: 'upstream login',
  logout: 'upstream logout',
  add: 'upstream add',
  allow: 'rules allow',
  deny: 'rules deny',
  grant: 'rules grant',
  explain: 'rules explain',
  lint: 'permissions lint',
  search: 'query',
  find: 'query',
  remember: 'memory add',
  settings: 'config list',
  set: 'config set',
  get: 'config get',
  version: '--version',
}

/** What an unknown first word most likely means, as a command line; undefined if nothing is close. */
export function meantCommand(word: string): string | undefined {
  const meant = nearest(word, [...commandNames, ...Object.keys(commandsOfOthers)])
  return meant === undefined ? undefined : `ctxd ${commandsOfOthers[meant] ?? meant}`
}
