/** What counts as a secret: documented formats of widely used credentials and the common shapes around them. */

export interface SecretRule {
  readonly id: string
  /** Lower case; the pattern is tried only where one of them occurs in the lower-cased text. */
  readonly keywords: readonly string[]
  /** Global and sticky-free; group 1 is the secret where only a part of the match is one. */
  readonly pattern: RegExp
}

/** What may end a token without being part of it. */
const end = String.raw`(?![A-Za-z0-9_-])`

export const secretRules: readonly SecretRule[] = [
  {
    id: 'private-key',
    keywords: ['-----begin'],
    pattern:
      /-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  {
    id: 'aws-access-token',
    keywords: ['akia', 'asia', 'abia', 'acca'],
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g,
  },
  { id: 'github-pat', keywords: ['ghp_'], pattern: new RegExp(`ghp_[A-Za-z0-9]{36}${end}`, 'g') },
  { id: 'github-oauth', keywords: ['gho_'], pattern: new RegExp(`gho_[A-Za-z0-9]{36}${end}`, 'g') },
  {
    id: 'github-app-token',
    keywords: ['ghu_', 'ghs_'],
    pattern: new RegExp(`gh[us]_[A-Za-z0-9]{36}${end}`, 'g'),
  },
  {
    id: 'github-refresh-token',
    keywords: ['ghr_'],
    pattern: new RegExp(`ghr_[A-Za-z0-9]{36,76}${end}`, 'g'),
  },
  {
    id: 'github-fine-grained-pat',
    keywords: ['github_pat_'],
    pattern: new RegExp(`github_pat_[A-Za-z0-9_]{82}${end}`, 'g'),
  },
  { id: 'gitlab-pat', keywords: ['glpat-'], pattern: /glpat-[A-Za-z0-9_-]{20,}/g },
  {
    id: 'slack-token',
    keywords: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xapp-'],
    pattern: /\b(?:xox[abprs]|xapp)-[A-Za-z0-9-]{10,}/g,
  },
  { id: 'anthropic-api-key', keywords: ['sk-ant-'], pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { id: 'openai-api-key', keywords: ['sk-'], pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}/g },
  {
    id: 'stripe-access-token',
    keywords: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  },
  { id: 'gcp-api-key', keywords: ['aiza'], pattern: new RegExp(`\\bAIza[A-Za-z0-9_-]{35}${end}`, 'g') },
  { id: 'npm-access-token', keywords: ['npm_'], pattern: new RegExp(`\\bnpm_[A-Za-z0-9]{36}${end}`, 'g') },
  { id: 'pypi-upload-token', keywords: ['pypi-'], pattern: /\bpypi-[A-Za-z0-9_-]{50,}/g },
  { id: 'contextd-agent-token', keywords: ['ctxd_'], pattern: /\bctxd_[A-Za-z0-9_-]{11}_[A-Za-z0-9_-]{43}/g },
  {
    id: 'jwt',
    keywords: ['eyj'],
    // The header is short; without a bound, a long text full of `eyJ` and free of dots would be read over and over.
    pattern: /\beyJ[A-Za-z0-9_-]{8,1024}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  },
  {
    id: 'authorization-header',
    keywords: ['authorization'],
    pattern:
      /authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4}([A-Za-z0-9._~+/=-]{8,})/gi,
  },
  {
    id: 'url-credentials',
    keywords: ['://'],
    pattern: /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@"']{0,200}:([^\s/@"'[\]]{3,200})@/gi,
  },
  {
    id: 'generic-api-key',
    keywords: [
      'password',
      'passwd',
      'secret',
      'token',
      'api_key',
      'apikey',
      'api-key',
      'access_key',
      'private_key',
      'credential',
    ],
    pattern:
      /(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)["'\]]{0,2}\s{0,4}(?::=|=>|[:=])\s{0,4}["']?([A-Za-z0-9_.~+/=!@#$%^&*-]{12,256})/gi,
  },
]
