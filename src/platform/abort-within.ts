/**
 * Aborts when one of the signals does, or after the timeout. Replaces `AbortSignal.any` with a timeout signal, which
 * Node 20 garbage-collects before it fires.
 */
export function abortWithin(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`it took longer than ${ms} ms`, 'TimeoutError'))
  }, ms)
  timer.unref()
  for (const one of signals) {
    if (one.aborted) controller.abort(one.reason)
    one.addEventListener('abort', () => controller.abort(one.reason), { once: true, signal })
  }
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  return signal
}
