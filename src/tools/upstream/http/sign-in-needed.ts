import { ConnectionLost } from '../connection.ts'

/** What a server said with its refusal, for whoever signs in. */
export interface Challenge {
  readonly scope?: string
  readonly resourceMetadataUrl?: URL
  /** Signed in, but not for this. */
  readonly isStepUp?: boolean
}

/** Only a person can go on from here. */
export class SignInNeeded extends ConnectionLost {
  readonly challenge: Challenge

  constructor(name: string, challenge: Challenge = {}) {
    const what = challenge.isStepUp === true ? 'needs a sign-in with more rights' : 'needs a sign-in'
    super(`it ${what}: \`ctxd upstream login ${name}\``, { sent: false })
    this.name = 'SignInNeeded'
    this.challenge = challenge
  }
}
