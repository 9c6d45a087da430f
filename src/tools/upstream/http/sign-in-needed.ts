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
    const command = `\`ctxd upstream login ${name}\``
    const what =
      challenge.isStepUp === true
        ? `it needs a sign-in with more rights: ${command}`
        : `it needs a sign-in: ${command}, or a token in its \`headers\``
    super(what, { sent: false })
    this.name = 'SignInNeeded'
    this.challenge = challenge
  }
}
