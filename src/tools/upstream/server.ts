/** One MCP server behind the gateway, as its file declares it. Variables in it are not filled in yet. */
export interface UpstreamServer {
  readonly name: string
  readonly description?: string
  readonly transport: StdioTransport | HttpTransport
  /** Which revisions to speak: what the server turns out to know, or only one side of 2026-07-28. */
  readonly protocol: 'auto' | 'legacy' | 'modern'
  /** Keeps nothing between calls, so that everyone may share one connection. */
  readonly stateless: boolean
  /** Whether its tools are listed beside our own; the setting for all servers where absent. */
  readonly transparent?: boolean
  /** Whether they are listed as `<server>__<tool>` (the default) or under their own names. */
  readonly prefix: boolean
  /** What happens when a tool is not the one that was pinned; the setting for all servers where absent. */
  readonly onChange?: 'hold' | 'allow'
  /** Time for one call. */
  readonly timeoutMs?: number
  /** Of the whole entry: when it changes, connections made with the old one are over. */
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
  /** Absolute. Where absent: the folder of the file for the person's own, the project for others and in the sandbox. */
  readonly cwd?: string
  /** Runs inside the sandbox, with these capabilities and no others. */
  readonly sandbox?: { readonly capabilities: readonly string[] }
}

export interface HttpTransport {
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A client registered by hand, for servers that do not let programs register themselves. */
  readonly oauth?: { readonly clientId: string; readonly clientSecret?: string; readonly scope?: string }
}
