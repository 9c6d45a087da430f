import { join } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'

/** The location of all our files. Pure: environment and home are parameters. */
export interface Paths {
  readonly config: string
  readonly state: string
  readonly run: string
  /** Caches of commands in sandboxes. */
  readonly cache: string
  readonly database: string
  /** Records of the background commands that run. */
  readonly commands: string
  readonly keys: string
  readonly configFile: string
  readonly rulesFile: string
  readonly serversFile: string
  /** Which keys give access to which private context. */
  readonly contextMap: string
  /** Newest audit record, stored outside the database so that truncation is noticed. */
  readonly auditHead: string
  readonly hookSocket: string
  /** gRPC for this user. */
  readonly controlSocket: string
  /** Our certificate authority and the certificate of the server. */
  readonly tls: string
  readonly pidFile: string
  /** Project files of which the user knows that they have no effect. */
  readonly notedFiles: string
}

export function resolvePaths(env: NodeJS.ProcessEnv = process.env, home?: string): Paths {
  const root = env.CONTEXTD_HOME
  const state = root
    ? join(root, 'state')
    : join(env.XDG_STATE_HOME || join(home ?? homeFolder(), '.local', 'state'), 'contextd')
  const config = root
    ? join(root, 'config')
    : join(env.XDG_CONFIG_HOME || join(home ?? homeFolder(), '.config'), 'contextd')
  const run = root
    ? join(root, 'run')
    : env.XDG_RUNTIME_DIR
      ? join(env.XDG_RUNTIME_DIR, 'contextd')
      : join(state, 'run')
  const cache = root
    ? join(root, 'cache')
    : join(env.XDG_CACHE_HOME || join(home ?? homeFolder(), '.cache'), 'contextd')
  return {
    config,
    state,
    run,
    cache,
    database: join(state, 'contextd.db'),
    commands: join(state, 'commands'),
    keys: join(state, 'keys'),
    configFile: join(config, 'config.toml'),
    rulesFile: join(config, 'rules.json'),
    serversFile: join(config, 'servers.json'),
    contextMap: join(config, 'context-map.toml'),
    auditHead: join(state, 'audit.head'),
    hookSocket: join(run, 'hook.sock'),
    controlSocket: join(run, 'control.sock'),
    tls: join(state, 'tls'),
    pidFile: join(run, 'contextd.pid'),
    notedFiles: join(state, 'noted-files.json'),
  }
}

/** Folders that no agent may see. */
export function ownFoldersIn({ config, state, run, cache }: Paths): readonly string[] {
  return [config, state, run, cache]
}

/** The socket on which a client's MCP server answers the client's hooks; `client` is the client's process id. */
export function clientSocket({ run }: Pick<Paths, 'run'>, client: number): string {
  return join(run, `client-${client}.sock`)
}
