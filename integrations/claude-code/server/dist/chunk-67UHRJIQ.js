import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var e=["anthropic","openai","gemini"],o="model",r=["day","session","agent","model"];export{e as a,o as b,r as c};
