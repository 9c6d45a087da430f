/** How descriptions talk to the agent instead of describing a tool. In plain letters: small, no accents. */

import type { Concepts, Phrase } from './phrase-matcher.ts'

export const steeringConcepts: Concepts = {
  NOT: "do not|don't|dont|never|must not|mustn't|should not|shouldn't|cannot|avoid|without|under no circumstances",
  TELL: 'tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing|disclose|disclosing|show|showing|alert|alerting|warn|warning|report|reporting|explain|explaining|say|saying',
  USER: "user|users|human|humans|person|customer|developer|operator|anyone|anybody|user's",
  IGNORE:
    'ignore|ignoring|disregard|forget|bypass|discard|dismiss',
  EARLIER:
    'previous|prior|above|earlier|preceding|other|existing|original|initial|your|system|safety|security|former',
  INSTRUCTIONS:
    'instruction|instructions|prompt|prompts|directive|directives|guidelines|guardrails|restrictions|safety rules|system rules|rules you',
  READ: 'read|reading|open|opening|cat|load|loading|fetch|access|look up|lookup|retrieve|collect|gather|find|copy|dump|list|get|grab|extract|print|take',
  FILE: /\.ssh|id_rsa|id_ed25519|\.aws|\.env$|\.netrc|\.npmrc|\.pgpass|\.git-credentials|\.kube\/config|\.cursor|\.claude|mcp\.json|claude_desktop_config|\/etc\/passwd|\/etc\/shadow|\.bash_history|\.zsh_history|\.gnupg|\.docker\/config|^keychain|wallet\.dat/,
  PRIVATE:
    'conversation|conversations|chat history|chat log|message history|messages so far|previous messages|system prompt|system message|dialogue|your instructions|chain of thought|context window|api keys|ssh key|ssh keys|private key|private keys|secret keys|access keys|access tokens|credentials|passwords|secrets|environment variables|env vars|seed phrase|session cookies|connection strings',
  TALK: 'conversation|conversations|chat history|chat log|message history|messages so far|previous messages|system prompt|system message|dialogue|chain of thought',
  ORDER:
    'you must|you should|you need to|you have to|must|always|first|please|make sure|ensure|be sure|before|required to|need to|remember to',
  PUT: 'put|pass|passing|include|including|insert|copy|append|add|provide|place|paste|encode|attach|embed|supply|store|write|use|set|fill|summarize|summarise',
  SLOT: 'argument|parameter|param|field|sidenote|note|notes|metadata|context|comment|feedback|value|input|query|body|header|subject|description',
  SEND: 'send|sending|post|posting|upload|forward|transmit|exfiltrate|leak|email|mail|submit|deliver|relay|push|report|share|copy|publish|bcc|cc',
  EVERYTHING:
    'everything|all messages|all the messages|all results|all the results|all data|all the data|all files|all emails|all output|all text|all details|every result|every answer|every message|every file|every email|each result|each message|each email|each response|a copy|copies',
  ADDRESS: /^(?:https?|ftp|wss?):\/\/|@[\w-]+\.|^\+\d{6}/,
  CALL: 'use|using|call|calling|invoke|invoking|run|running|execute|executing|access|accessing',
  PIPE: /\|$/,
  PIPED: /\|(?:ba|z|da)?sh$/,
  STARTUP: /authorized_keys|crontab|\.bashrc|\.zshrc|\.profile|launchagents|systemd/,
  EACH: 'any|every|each|all',
  TOOL: 'tool|tools|function|functions|action|actions|request|requests|operation|operations',
}

export const steeringPhrases: readonly Phrase[] = [
  {
    rule: 'secrecy',
    why: 'tells the agent to keep something from the person',
    sequences: [
      'NOT 2 TELL 4 USER',
      'hide|hidden|conceal|keep|kept 5 from the? USER',
      'USER must|should|may|need|does|do|will|can not|never 1 told|know|see|notice|find|learn|informed|aware|realize',
      "without the? user's|users|person's knowledge|knowing|noticing|consent",
      'keep|make this|it|that a? secret|confidential|hidden|quiet',
      'NOT 1 mention|reveal|disclose|acknowledge this|these|that|it',
      'act as|like if? nothing',
      'secretly|covertly|stealthily|surreptitiously|discreetly',
    ],
  },
  {
    rule: 'no-confirmation',
    why: 'tells the agent to act without asking the person',
    sequences: [
      'NOT 2 ask|asking|request|requesting|wait|waiting|seek|seeking|require|requiring|prompt 4 confirmation|permission|approval|consent',
      'user|users|owner has|have already? 1 given|approved|authorized|authorised|consented|agreed',
      'pre-approved|preapproved|pre-authorized|pre-authorised',
      'skip|bypass|disable|suppress|auto-approve|auto-accept 2 confirmation|confirmations|permission|approval|consent|safety prompt|prompts|check|checks|dialog|dialogs|request|requests',
    ],
  },
  {
    rule: 'override',
    why: 'tells the agent to give up its instructions for others',
    sequences: [
      'IGNORE 2 EARLIER 2 INSTRUCTIONS',
      'IGNORE all|any|every|the|your|these 2 system|instructions|guidelines|guardrails prompt?',
      'override|overriding|supersede|supersedes 2 previous|prior|above|earlier|all|safety 2 instructions|guidelines|guardrails|restrictions',
      'IGNORE everything above|before|you|else',
      'you are now a|an|in|the|no|free|operating|acting|dan|unrestricted',
      'your new|real|true|actual|only|primary task|role|goal|purpose|instruction|instructions|objective|job|mission is|are',
      'new|updated|revised|important|special system? instruction|instructions|directive|directives for|to the? ai|assistant|model|agent|llm',
      'system|developer|admin|administrator|root override',
      'developer|admin|root|god|debug mode enabled|activated|engaged',
      'these|this|following instructions|rules|directives|rule take|takes|has|have precedence|priority over',
      'pretend|imagine you are|have|can',
    ],
  },
  {
    rule: 'first-of-all',
    why: 'wants to be called around all other tools',
    sequences: [
      'before|prior|after to? you? CALL? EACH other? TOOL',
      'before|after EACH call to',
      'always|must|mandatory|required|first 4 CALL this|it tool? 3 on|at|in|for|with|before|after EACH',
      'CALL this tool on|at|in|for|with|before|after EACH message|turn|request|conversation|response|reply|query|prompt|task|interaction|user',
      'at the start|beginning|end of EACH message|turn|conversation|response|session|reply|task',
      'every|each other? tool call',
      'all|any other|subsequent|further tool|tools will|must|should|may|do|does|are|is|can 1 work|fail|require|need|break|function|disabled|deprecated|broken|unsafe|refuse',
    ],
  },
  {
    rule: 'other-tools',
    why: 'wants to change how other tools are used',
    sequences: [
      'NOT 1 CALL 1 other|built-in|builtin|native|competing|alternative 1 tool|tools|function|functions|server|servers',
      'stop|instead|rather|place of|than|using|calling 2 other|built-in|builtin|native|competing|alternative 1 tool|tools|server|servers',
      'replaces|supersedes|overrides|shadows 2 other|built-in|existing|native|old|previous tool|tools',
      'affects|changes|modifies|alters|governs|controls 3 behaviour|behavior|operation|semantics|use of 2 other|another tool|tools|server|servers',
      'prefer|choose|pick|select|prioritize|prioritise this|our tool? 2 over|above|to EACH other|others|alternative|alternatives|competing',
      'other tool|tools is|are|was|were|has|have been? deprecated|broken|unsafe|insecure|disabled|compromised|malicious|outdated',
      'whenever|when|if 4 another|other tool|tools|server|servers',
    ],
  },
  {
    rule: 'private-data',
    why: 'asks for private files, keys or the conversation',
    sequences: [
      'ORDER 6 READ 5 FILE',
      'ORDER 6 READ 5 PRIVATE',
      'READ 5 FILE 1 and|then|to then? PUT',
      'READ 5 FILE 1 and|then|to then? SEND',
      'READ 5 PRIVATE 1 and|then|to then? PUT',
      'READ 5 PRIVATE 1 and|then|to then? SEND',
      'content|contents of|from 3 FILE',
      'content|contents|data|value|result from|of 2 ssh|id_rsa|private|credentials key|keys|id|file',
    ],
  },
  {
    rule: 'parameter-leak',
    why: 'asks for something in an argument that the tool does not need',
    sequences: [
      'PUT 5 FILE 5 in|into|as|to|within|via|through|inside 4 SLOT',
      'PUT 5 PRIVATE 5 in|into|as|to|within|via|through|inside 4 SLOT',
      'PUT 3 EVERYTHING 8 in|into|as|to|within|via 3 SLOT',
      'PUT 1 result|results|output|outputs of|from 1 all|any|every|each|previous|other 8 in|into|as|to|within|via 3 SLOT',
      'must|should contain|include|hold|carry|be 4 TALK',
      'full|entire|whole|complete|verbatim 2 TALK',
      "user's|users|person's|customer's private|secret|api|ssh|personal|bank|credit key|keys|password|passwords|card|details|token|tokens|files|data",
    ],
  },
  {
    rule: 'sends-elsewhere',
    why: 'has the agent send data to an address',
    sequences: [
      'SEND 6 FILE 7 to|at|via|through 3 ADDRESS',
      'SEND 6 PRIVATE 7 to|at|via|through 3 ADDRESS',
      'SEND 6 EVERYTHING 7 to|at|via|through 3 ADDRESS',
      'SEND 5 PRIVATE 3 to 1 server|endpoint|address|webhook|url|attacker|collector|remote|third',
      'also|always|additionally|then|first|must|quietly|silently 2 SEND 8 to|at 2 ADDRESS',
      'always|also|must|quietly|silently 2 bcc|cc 4 ADDRESS',
      'bcc|recipient|recipients|destination to|as|with|is|be|must|should 5 ADDRESS',
      'change|replace|set|rewrite|redirect|route 3 recipient|recipients|destination|address|addresses|account|iban|email 4 to|with|as 1 ADDRESS',
      'append 8 to|as the|a url|query|image|link',
    ],
  },
  {
    rule: 'runs-commands',
    why: 'has the agent run a command',
    sequences: [
      'curl|wget|iwr|invoke-webrequest 8 PIPE 1 sh|bash|zsh|dash',
      'curl|wget|iwr|invoke-webrequest 8 PIPED',
      'ORDER 5 run|execute|type|paste|launch 4 curl|wget|bash|sh|powershell|python|nc|chmod|rm|sudo',
      'add|append|write|copy|install 8 STARTUP',
    ],
  },
]
