import { ConnectionLost } from '../connection.ts'

/** Parameters of a refusal (HTTP 401 or 403), for the next sign-in. */
export interface Challenge {
  readonly scope?: string
  readonly resourceMetadataUrl?: URL
  /** Signed in, but without the required scope. */
  readonly isStepUp?: boolean
}

/** The user must sign in. */
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
