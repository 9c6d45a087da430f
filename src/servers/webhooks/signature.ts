import { createHmac } from 'node:crypto'

export interface Message {
  readonly id: string
  readonly event: string
  readonly body: string
}

/** With the secret, receivers can verify that the body is ours and is not a replay. */
export function headersFor(
  { id, event, body }: Message,
  secret: string,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  return {
    'content-type': 'application/json',
    'contextd-event': event,
    'contextd-delivery': id,
    'contextd-timestamp': timestamp,
    'contextd-signature': `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
  }
}
