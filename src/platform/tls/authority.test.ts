import { expect, test } from 'vitest'
import { createAuthority, issueServer, issueCaller, crossSign, hostsNamed, callerNamed } from './authority.ts'
test('x', () => {
  const now = Date.now()
  const a = createAuthority(now)
  const s = issueServer(a, ['localhost', '127.0.0.1', '::1', 'fe80::1:2'], { now, life: 86400000 })
  const c = issueCaller(a, { kind: 'agent', id: 'a:b' }, { now, life: 86400000 })
  console.log(
    s.certificate.subjectAltName,
    hostsNamed(s.certificate),
    callerNamed(c.certificate),
    c.certificate.keyUsage,
    s.certificate.checkIssued(a.certificate),
    s.certificate.verify(a.certificate.publicKey),
    a.certificate.subject,
    c.certificate.serialNumber,
  )
  const b = createAuthority(now)
  console.log(crossSign(b.certificate, a).checkIssued(a.certificate))
})
