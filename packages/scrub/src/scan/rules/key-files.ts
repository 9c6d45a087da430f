/** Files that are secrets themselves, recognised by name because their content is not text. */

export interface KeyFileRule {
  readonly id: string
  readonly description: string
  readonly path: RegExp
}

export const keyFileRules: readonly KeyFileRule[] = [
  { id: 'pkcs12-file', description: 'Key store in PKCS #12 format', path: /[^/]\.(?:p12|pfx)$/i },
  {
    id: 'java-keystore-file',
    description: 'Java key store',
    // Everyone has the same Android debug key.
    path: /(?:^|[/!])(?!debug\.keystore$)[^/!]+\.(?:jks|keystore|bks)$/i,
  },
  { id: 'keepass-file', description: 'KeePass database', path: /[^/]\.kdbx?$/i },
]
