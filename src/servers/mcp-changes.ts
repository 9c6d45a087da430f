import type { Server, ServerNotifier } from '@modelcontextprotocol/server'

import type { Runtime } from '../compose.ts'

/** Tells clients when what they may list or read has changed. Answers how to stop. */
export function announceChanges(runtime: Runtime, notifier: ServerNotifier): () => void {
  const { payloads } = runtime.catalogue
  const lists = (): void => {
    notifier.toolsChanged()
    if (payloads === undefined) return
    notifier.promptsChanged()
    notifier.resourcesChanged()
  }
  const stopLists = runtime.onListChanged(lists)
  const stopPayloads = payloads?.onChanged?.((uri) => {
    if (uri === undefined) lists()
    else notifier.resourceUpdated(uri)
  })
  return () => {
    stopLists()
    stopPayloads?.()
  }
}

/** Announcements on one connection, of resources only those that its client subscribed to. */
export function notifierOf(
  server: Server,
  subscribed: ReadonlySet<string>,
  onLost: (error: Error) => void,
): ServerNotifier {
  const send = (sent: Promise<void>): void => void sent.catch(onLost)
  return {
    toolsChanged: () => send(server.sendToolListChanged()),
    promptsChanged: () => send(server.sendPromptListChanged()),
    resourcesChanged: () => send(server.sendResourceListChanged()),
    resourceUpdated: (uri) => {
      if (subscribed.has(uri)) send(server.sendResourceUpdated({ uri }))
    },
  }
}
