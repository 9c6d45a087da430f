import type { Server, ServerNotifier } from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'

/** Notifies a session's client when lists or resources have changed. Returns a function that stops it. */
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

/** Sends notifications on one connection; for resources, only those the client subscribed to. */
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
