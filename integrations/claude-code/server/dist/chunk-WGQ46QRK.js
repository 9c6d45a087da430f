import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var e=["anthropic","openai","gemini"],r="model",o=["day","session","agent","model"];export{e as a,r as b,o as c};
