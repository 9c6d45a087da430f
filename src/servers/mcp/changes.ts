import type { Server, ServerNotifier } from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'

/** Tells the client of a session when what it may list or read has changed. Answers how to stop. */
export function announceChanges(
  runtime: Runtime,
  notifier: ServerNotifier,
  session: () => string | undefined,
): () => void {
  const { payloads } = runtime.catalogue
  const lists = (): void => {
    notifier.toolsChanged()
    if (payloads === undefined) return
    notifier.promptsChanged()
    notifier.resourcesChanged()
  }
  const stopLists = runtime.onListChanged(lists)
  const stopPayloads = payloads?.onChanged?.((change) => {
    if (change.session !== undefined && change.session !== session()) return
    if (change.uri === undefined) lists()
    else notifier.resourceUpdated(change.uri)
  })
  return () => {
    stopLists()
    stopPayloads?.()
  }
}

/** Announcements on one connection, of resources only those that its client wants to hear of. */
export function notifierOf(
  server: Server,
  wanted: (uri: string) => boolean,
  onLost: (error: Error) => void,
): ServerNotifier {
  const send = (sent: Promise<void>): void => void sent.catch(onLost)
  return {
    toolsChanged: () => send(server.sendToolListChanged()),
    promptsChanged: () => send(server.sendPromptListChanged()),
    resourcesChanged: () => send(server.sendResourceListChanged()),
    resourceUpdated: (uri) => {
      if (wanted(uri)) send(server.sendResourceUpdated({ uri }))
    },
  }
}
