/** One MCP server as its file declares it, with variables not yet expanded. */
export interface UpstreamServer {
  readonly name: string
  readonly description?: string
  readonly transport: StdioTransport | HttpTransport
  /** Protocol revisions to use: negotiated, or only those before or since 2026-07-28. */
  readonly protocol: 'auto' | 'legacy' | 'modern'
  /** Keeps no state between calls, so all callers may share one connection. */
  readonly stateless: boolean
  /** Whether its tools are listed next to our own; defaults to the setting for all servers. */
  readonly transparent?: boolean
  /** Whether they are listed as `<server>__<tool>` (the default) or under their own names. */
  readonly prefix: boolean
  /** What to do with a tool that differs from its pin; defaults to the setting for all servers. */
  readonly onChange?: 'hold' | 'allow'
  /** Timeout of one call. */
  readonly timeoutMs?: number
  /** Of the whole entry: when it changes, existing connections are closed. */
  readonly fingerprint: string
  readonly file: string
  readonly line: number
  readonly role: 'user' | 'project'
}

export interface StdioTransport {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Absolute. Defaults to the file's folder for user files, otherwise and in the sandbox to the project. */
  readonly cwd?: string
  /** Runs in the sandbox with only these capabilities. */
  readonly sandbox?: { readonly capabilities: readonly string[] }
}

export interface HttpTransport {
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A manually registered client, for servers without dynamic client registration. */
  readonly oauth?: { readonly clientId: string; readonly clientSecret?: string; readonly scope?: string }
}
